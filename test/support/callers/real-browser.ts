import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Without windows Chromium opens a page in a third of the time, and shows it the same. */
const PLACES = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

const ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  // It asks nobody but the service for anything.
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'],
];

/** A real browser: the one that `CHROMIUM` names, or what this machine has of Chromium. Whoever starts it closes it. */
export function startBrowser(): Promise<Browser> {
  const executablePath = process.env['CHROMIUM'] ?? PLACES.find(existsSync);
  if (executablePath === undefined) {
    throw new Error(
      `No browser is here (${PLACES.join(', ')}). Install chromium-headless-shell, or set CHROMIUM.`,
    );
  }
  return chromium.launch({ executablePath, args: ARGUMENTS });
}
