import { defineConfig } from '@playwright/test'
import type { TestDatabaseOption } from './tests/support/browser/browser-page.ts'
import { CHROMIUM_FLAGS, findChromium } from './tests/support/browser/chromium.ts'

const chromium = findChromium()

/**
 * The journeys in which the database has a say. What the server answers is the same on both, as every test over HTTP
 * shows on each; how it is drawn is seen once. With EVERY_JOURNEY=yes all of them are taken on PostgreSQL, too.
 */
const ON_POSTGRES =
  process.env['EVERY_JOURNEY'] === 'yes'
    ? '**/*.spec.ts'
    : [
        'bulk-operations',
        'field-kinds',
        'filters',
        'import-and-export',
        'core-workflow',
        'user-lifecycle',
        'roles',
        'search',
        'saved-views',
        'workflow',
      ].map((name) => `**/${name}.spec.ts`)

export default defineConfig<object, TestDatabaseOption>({
  testDir: 'tests/browser',
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results',
  // Each worker has servers and records of its own; the journeys of one file are taken in order, one at a time. A journey
  // waits for a third of its time, for a clock or a request: three of them keep two cores busy.
  workers: 3,
  // On a build machine whose cores are busy elsewhere; whatever needs it is named in the last lines.
  retries: process.env['CI'] === undefined ? 0 : 2,
  forbidOnly: true,
  // These end what hangs, on a machine however busy. What the product promises within a time is measured in the page.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: 'line',
  use: {
    video: 'off',
    // Writing it down costs about as much as the journey; whoever looks for a fault asks with --trace=on.
    trace: 'on-first-retry',
    actionTimeout: 20_000,
    ...(chromium && {
      launchOptions: {
        executablePath: chromium.executablePath,
        args: [...CHROMIUM_FLAGS],
        env: { ...process.env, ...chromium.env },
      },
    }),
  },
  projects: [
    { name: 'on-sqlite', use: { database: 'sqlite' } },
    // The prepared list of a million records is a file of SQLite.
    {
      name: 'on-postgres',
      use: { database: 'postgres' },
      testMatch: ON_POSTGRES,
      testIgnore: '**/grid-million.spec.ts',
    },
  ],
})
