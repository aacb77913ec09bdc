import { type ServerSettings, type StartedServer, startServer } from '#tests/support/server/started-server.ts'

/** A server that can be killed at any time and restarts at the same URL. */
export type KillableServer = {
  readonly now: () => StartedServer
  /** Kills the server after this many ms without a graceful shutdown, then restarts it. Kills run one at a time. */
  readonly killAfter: (ms: number) => void
  readonly kills: () => number
  /** Resolves when the server is running and no kill is pending. */
  readonly whenUp: () => Promise<void>
  readonly stop: () => Promise<void>
}

const TRIES = 5

const startAgain = (settings: ServerSettings, tries: number): Promise<StartedServer> =>
  startServer(settings).catch((error: unknown) => {
    if (tries <= 1) throw error
    return startAgain(settings, tries - 1)
  })

/** Starts the server; the port and data folder must not be shared. */
export async function startKillableServer(
  settings: ServerSettings & { readonly port: number; readonly dataFolder: string },
): Promise<KillableServer> {
  let server = await startAgain(settings, TRIES)
  let kills = 0
  let inTurn: Promise<void> = Promise.resolve()

  const killAndStart = async (ms: number): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, ms))
    await server.kill()
    kills += 1
    server = await startAgain(settings, TRIES)
  }
  return {
    now: () => server,
    killAfter: (ms) => {
      inTurn = inTurn.then(() => killAndStart(ms))
    },
    kills: () => kills,
    whenUp: () => inTurn,
    stop: async () => {
      await inTurn
      await server.stop()
    },
  }
}
