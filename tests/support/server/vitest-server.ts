import { build } from 'vite'

/** Bundles the server that tests start. */
export async function setup(): Promise<void> {
  await build({ configFile: 'vite.server.config.ts', logLevel: 'warn' })
}
