import { type Permission, permissions } from '../../store/api-keys.ts';

/** Reads the id of an object. */
export function whole(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new Error(`${text} is not an id.`);
  return Number(text);
}

export function permissionList(text: string): Permission[] {
  return text.split(',').map((name) => {
    const known = permissions.find((permission) => permission === name.trim());
    if (known === undefined)
      throw new Error(`${name} is no permission. Give some of: ${permissions.join(', ')}.`);
    return known;
  });
}
