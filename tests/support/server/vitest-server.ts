import { build } from 'vite'

/** Bundles the server, which tests start as a process of its own. */
export async function setup(): Promise<void> {
  await build({ configFile: 'vite.server.config.ts', logLevel: 'warn' })
}
