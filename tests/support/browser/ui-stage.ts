import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import type { Page } from '@playwright/test'
import react from '@vitejs/plugin-react'
import { build } from 'vite'
import type { StagedDropdown } from '#tests/support/ui-stage/stage.tsx'
import type { notify } from '#web/ui/toast/notify.ts'

export type UiStage = {
  readonly notify: typeof notify
  readonly show: (dropdowns: readonly StagedDropdown[]) => void
}

const TYPES: { readonly [extension: string]: string } = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
}

const ADDRESS = 'http://stage.test'

let built: Promise<string> | undefined

async function buildStage(): Promise<string> {
  const outDir = await mkdtemp(join(tmpdir(), 'dossier-stage-'))
  await build({
    configFile: false,
    root: 'tests/support/ui-stage',
    logLevel: 'error',
    plugins: [react()],
    build: { outDir, target: 'esnext' },
  })
  return outDir
}

/** Opens a page that shows only design system components, with more options and toasts than any page of the product. */
export async function openUiStage(page: Page): Promise<void> {
  built ??= buildStage()
  const folder = await built
  await page.route(`${ADDRESS}/**`, async (route) => {
    const { pathname } = new URL(route.request().url())
    const name = pathname === '/' ? '/index.html' : pathname
    await route.fulfill({
      body: await readFile(join(folder, name)),
      contentType: TYPES[extname(name)] ?? 'application/octet-stream',
    })
  })
  await page.goto(ADDRESS)
  await page.waitForFunction(() => 'notify' in globalThis)
}
