import { existsSync } from 'node:fs'
import { platform } from 'node:os'
import { delimiter, join } from 'node:path'

/** A browser's executable names to look up in PATH, and file paths for systems on which it isn't in PATH. */
export type BrowserPrograms = {
  readonly names: readonly string[]
  readonly darwin?: readonly string[]
  readonly win32?: readonly string[]
}

export function findOnMachine(programs: BrowserPrograms): string | undefined {
  const system = platform()
  const folders = system === 'win32' ? [] : (process.env['PATH'] ?? '').split(delimiter)
  const onPath = folders.flatMap((folder) => programs.names.map((name) => join(folder, name)))
  const elsewhere = system === 'darwin' || system === 'win32' ? (programs[system] ?? []) : []
  return [...onPath, ...elsewhere].find((file) => existsSync(file))
}

/** The browser in DOSSIER_FIREFOX; otherwise an installed one. */
export const findFirefox = (): string | undefined =>
  process.env['DOSSIER_FIREFOX'] ??
  findOnMachine({
    names: ['firefox', 'firefox-esr'],
    darwin: ['/Applications/Firefox.app/Contents/MacOS/firefox'],
    win32: ['C:\\Program Files\\Mozilla Firefox\\firefox.exe'],
  })

export const FIREFOX_PREFERENCES = {
  // By default, headless Firefox reports that there is no mouse.
  'ui.primaryPointerCapabilities': 6,
  'ui.allPointerCapabilities': 6,
  'ui.prefersReducedMotion': 1,
  // With this feature enabled, axe crashes in Firefox 153.
  'accessibility.ARIAElementReflection.enabled': false,
}
