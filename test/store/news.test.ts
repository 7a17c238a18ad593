import { afterEach, expect, test } from 'vitest';
import type { News } from '../../store/engine/news.ts';
import { PostgresNews } from '../../store/engine/postgres-news.ts';
import { engine, freshDatabase, type TestDatabase } from '../support/database/database.ts';
import { eventually } from '../support/run/eventually.ts';

const open: News[] = [];
let database: TestDatabase | undefined;
afterEach(async () => {
  for (const news of open.splice(0)) await news.close();
  await database?.drop();
});

async function upAt(url: string, heard: (text: string) => void): Promise<News> {
  const news = new PostgresNews(url, { heard, turned: () => {} });
  open.push(news);
  await eventually(() => expect(news.isUp).toBe(true));
  return news;
}

// The warning that the library gives where queries meet on one connection fails the test (support/run/log.ts).
test.runIf(engine === 'postgres')(
  'words that are sent all at once go one after the other, and each is heard in its turn',
  async () => {
    database = await freshDatabase();
    const { url } = database;
    const heard: string[] = [];
    await upAt(url, (text) => void heard.push(text));
    const sender = await upAt(url, () => {});
    const words = Array.from({ length: 100 }, (_, index) => `word ${index}`);

    for (const word of words) sender.send(word);

    await eventually(() => expect(heard).toEqual(words));
  },
);
