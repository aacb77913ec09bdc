import { type ServerSettings, type StartedServer, startServer } from '#tests/support/server/started-server.ts'

/** A server that may be killed at any moment, and comes back at the same place. */
export type KillableServer = {
  readonly now: () => StartedServer
  /** Kills it as a power cut would after so many ms, and starts it again; one after the other. */
  readonly killAfter: (ms: number) => void
  readonly kills: () => number
  /** Resolves when it can be reached, and no kill that was ordered is still to come. */
  readonly whenUp: () => Promise<void>
  readonly stop: () => Promise<void>
}

const TRIES = 5

const startAgain = (settings: ServerSettings, tries: number): Promise<StartedServer> =>
  startServer(settings).catch((error: unknown) => {
    if (tries <= 1) throw error
    return startAgain(settings, tries - 1)
  })

/** Starts it; `port` and `dataFolder` stay its own. */
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
