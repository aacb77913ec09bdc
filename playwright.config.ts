import { availableParallelism } from 'node:os'
import { defineConfig } from '@playwright/test'
import type { TestDatabaseOption } from './tests/support/browser/browser-page.ts'
import { CHROMIUM_FLAGS, findChromium } from './tests/support/browser/chromium.ts'
import { FIREFOX_PREFERENCES, findFirefox } from './tests/support/browser/installed-browser.ts'
import { IS_DAILY } from './tests/support/test-tier.ts'

const chromium = findChromium()
const firefox = IS_DAILY ? undefined : findFirefox()

const fileOf = (name: string): string => `**/${name}.spec.ts`

/** Browser tests of the daily tier, which cover the main features; the full tier runs all. */
const DAILY = [
  'admin/roles',
  'files/{drag-and-drop-uploads,hostile-files}',
  'grid/{grid-clipboard,grid-editing,grid-keyboard}',
  'list/{bulk-operations,filters}',
  'onboarding/core-workflow',
  'pages/all-routes',
  'rich-text/rich-text',
].map(fileOf)

/** Tag of tests that run in the full tier only. */
const FULL_TIER = /@full/

/** Browser tests that also run in Firefox: those that don't need the DevTools protocol of Chromium. */
const IN_FIREFOX = [
  'account/{email-links,leaked-password}',
  'admin/{invitations,user-lifecycle,validation-rules,workflow}',
  'fields/{dropdowns,field-kinds}',
  'grid/{grid-columns,grid-editing,grid-keyboard}',
  'list/{filters,saved-views,side-panel}',
  'onboarding/*',
  'rich-text/rich-text',
  'shell/{dialog-focus,languages}',
].map(fileOf)

/** Tests that use the clipboard, read requests or change responses, which Playwright can't do in Firefox. */
const NOT_IN_FIREFOX = /nested groups are navigated|cell ranges are pasted|is duplicated from its menu/

/** On PostgreSQL the full tier runs tests that depend on the database; HTTP tests cover the rest on both databases. */
const ON_POSTGRES = [
  '**/{board,calendar,charts-and-dashboards,gallery,timeline}.spec.ts',
  '**/{bulk-operations,core-workflow,field-kinds,filters,import-and-export,project-tracker,roles,saved-views,search}.spec.ts',
  '**/{user-lifecycle,workflow}.spec.ts',
]

// The preload is set for Playwright's worker processes, because they start the browsers.
if (firefox !== undefined) {
  const preload = new URL('tests/support/browser/playwright-for-firefox.ts', import.meta.url).href
  process.env['NODE_OPTIONS'] = `${process.env['NODE_OPTIONS'] ?? ''} --import ${preload}`.trim()
}

export default defineConfig<object, TestDatabaseOption>({
  testDir: 'tests/browser',
  testMatch: IS_DAILY ? DAILY : '**/*.spec.ts',
  ...(IS_DAILY && { grepInvert: FULL_TIER }),
  outputDir: 'test-results',
  // Each worker has its own server, data and browser, which use several processes.
  workers: Math.max(2, Math.min(3, availableParallelism())),
  // CI machines may be busy; the summary names every test that needed a retry.
  retries: process.env['CI'] === undefined ? 0 : 2,
  forbidOnly: true,
  // These limits end only tests that hang, even on a busy machine.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: 'line',
  use: {
    // Blocked so that no test gets cached files; tests of offline use allow it.
    serviceWorkers: 'block',
    contextOptions: { reducedMotion: 'reduce' },
    video: 'off',
    // Recording a trace doubles a test's time; use --trace=on to debug.
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
    ...(IS_DAILY ? [] : [{ name: 'on-postgres', use: { database: 'postgres' as const }, testMatch: ON_POSTGRES }]),
    ...(firefox === undefined
      ? []
      : [
          {
            name: 'on-firefox',
            testMatch: IN_FIREFOX,
            grepInvert: NOT_IN_FIREFOX,
            use: {
              browserName: 'firefox' as const,
              channel: 'moz-firefox',
              launchOptions: { executablePath: firefox, firefoxUserPrefs: FIREFOX_PREFERENCES },
            },
          },
        ]),
  ],
})
