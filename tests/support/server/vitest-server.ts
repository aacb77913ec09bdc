import { build } from 'vite'

/** Bundles the server once per test run. */
export async function setup(): Promise<void> {
  if (process.env['SERVER_IS_BUILT'] !== undefined) return
  await build({ configFile: 'vite.server.config.ts', logLevel: 'warn' })
  process.env['SERVER_IS_BUILT'] = 'yes'
}
