import { existsSync } from 'node:fs'
import { platform } from 'node:os'
import { delimiter, join } from 'node:path'

/** A browser's executable names on the search path, and its file paths on systems where it isn't on the path. */
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

/** The browser in DOSSIER_FIREFOX, otherwise one installed on this machine. */
export const findFirefox = (): string | undefined =>
  process.env['DOSSIER_FIREFOX'] ??
  findOnMachine({
    names: ['firefox', 'firefox-esr'],
    darwin: ['/Applications/Firefox.app/Contents/MacOS/firefox'],
    win32: ['C:\\Program Files\\Mozilla Firefox\\firefox.exe'],
  })

export const FIREFOX_PREFERENCES = {
  // Headless Firefox reports that it has no mouse.
  'ui.primaryPointerCapabilities': 6,
  'ui.allPointerCapabilities': 6,
  'ui.prefersReducedMotion': 1,
  // With this feature enabled, axe crashes Firefox 153.
  'accessibility.ARIAElementReflection.enabled': false,
}
