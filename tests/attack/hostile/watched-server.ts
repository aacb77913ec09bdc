import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { StartedServer } from '#tests/support/server/started-server.ts'
import type { TestEnvironment } from '#tests/attack/environments.ts'

/** A server that reports its health. */
export type WatchedServer = StartedServer & { readonly look: () => Promise<ServerSample> }

/** Maximum event-loop delay since the last report in ms; current and peak memory in bytes. */
export type ServerSample = { readonly stallMs: number; readonly heldBytes: number; readonly peakBytes: number }

const PROBE = fileURLToPath(new URL('./event-loop-probe.ts', import.meta.url))
const ASK_EVERY_MS = 10
const REPORTED = /probe: busy ([\d.]+) ms, holds (\d+) bytes, (\d+) at most/g

/** Starts the production build with an event-loop probe. */
export async function startWatched(
  environment: TestEnvironment,
  env: Readonly<Record<string, string>> = {},
): Promise<WatchedServer> {
  const server = await environment.start({ program: ['--expose-gc', '--import', PROBE, 'dist/server/main.js'], env })
  const reported = () => [...server.printed().matchAll(REPORTED)]
  const look = async (): Promise<ServerSample> => {
    const before = reported().length
    process.kill(server.pid, 'SIGUSR2')
    while (reported().length === before) await pause(ASK_EVERY_MS)
    const [, stall = '0', held = '0', peak = '0'] = reported()[before] ?? []
    return { stallMs: Number(stall), heldBytes: Number(held), peakBytes: Number(peak) }
  }
  // Discards the delay caused by startup.
  await look()
  return { ...server, look }
}
