import { existsSync } from 'node:fs'
import { platform } from 'node:os'
import { delimiter, join } from 'node:path'

/** Names of a browser's program on the search path, and its files on systems that have none there. */
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

/** The browser in DOSSIER_FIREFOX, else one of this machine. */
export const findFirefox = (): string | undefined =>
  process.env['DOSSIER_FIREFOX'] ??
  findOnMachine({
    names: ['firefox', 'firefox-esr'],
    darwin: ['/Applications/Firefox.app/Contents/MacOS/firefox'],
    win32: ['C:\\Program Files\\Mozilla Firefox\\firefox.exe'],
  })

export const FIREFOX_PREFERENCES = {
  // Headless, it claims to have no mouse.
  'ui.primaryPointerCapabilities': 6,
  'ui.allPointerCapabilities': 6,
  'ui.prefersReducedMotion': 1,
  // With it, axe crashes Firefox 153.
  'accessibility.ARIAElementReflection.enabled': false,
}
