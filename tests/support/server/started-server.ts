import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { placeOfRun, settingsOf } from '#tests/support/files/s3-bucket.ts'

const execute = promisify(execFile)

/** Server settings in addition to the port and data folder; a given `dataFolder` isn't deleted afterwards. */
export type ServerSettings = {
  readonly databaseUrl?: string
  readonly dataFolder?: string
  /** The port of a previous server; defaults to a free port. */
  readonly port?: number
  /** Node arguments that start the server; default to the production build. */
  readonly program?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** The health endpoint to wait for; use `health` for a server that can't become ready. */
  readonly startedWhen?: 'health' | 'ready'
}

/** A production server in a separate process, and its output. */
export type StartedServer = {
  readonly url: string
  readonly pid: number
  readonly dataFolder: string
  /** Everything the server has printed so far. */
  readonly printed: () => string
  /** Runs a `dossier` command with the server's settings; returns the output. */
  readonly command: (...words: readonly string[]) => Promise<string>
  /** Shuts the server down; returns its exit code. */
  readonly stop: () => Promise<number | null>
  readonly kill: () => Promise<void>
}

/** Startup time limit in ms on a busy machine. */
const READY_WITHIN_MS = 120_000
const ASK_EVERY_MS = 25
/** The last line that the server prints at startup. */
const LAST_FRIENDLY_LINE = 'Press Ctrl-C to stop it.'

/** Finds a free port, for settings that contain the server's URL. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}

async function answersTo(url: string, question: 'health' | 'ready'): Promise<boolean> {
  try {
    return (await fetch(`${url}/api/${question}`)).ok
  } catch {
    return false
  }
}

/** The environment variables, data folder and URL of a server. */
export async function placeOf({ databaseUrl, dataFolder, port: wantedPort, env }: ServerSettings) {
  const folder = dataFolder ?? (await mkdtemp(join(tmpdir(), 'dossier-data-')))
  const port = wantedPort ?? (await findFreePort())
  const url = `http://localhost:${port}`
  const settings = {
    ...process.env,
    PORT: String(port),
    HOST: '127.0.0.1',
    DOSSIER_DATA: folder,
    DOSSIER_URL: url,
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
    ...settingsOf(await placeOfRun(folder)),
    ...env,
  }
  return { folder, url, settings }
}

/** Starts a server on a free port and waits until it responds. */
export async function startServer(serverSettings: ServerSettings = {}): Promise<StartedServer> {
  const { dataFolder, program = ['dist/server/main.js'] } = serverSettings
  const { folder, url, settings } = await placeOf(serverSettings)
  const child = spawn(process.execPath, [...program], { stdio: ['ignore', 'pipe', 'pipe'], env: settings })
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  const endWithUs = () => child.kill('SIGKILL')
  process.once('exit', endWithUs)
  const exited = once(child, 'exit')
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
  }
  const cleanUp = async () => {
    process.removeListener('exit', endWithUs)
    if (dataFolder === undefined) await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    if (!hasEnded() && child.kill(signal)) await exited
    await cleanUp()
    return child.exitCode
  }

  const deadline = Date.now() + READY_WITHIN_MS
  while (!printed.includes(LAST_FRIENDLY_LINE) || !(await answersTo(url, serverSettings.startedWhen ?? 'ready'))) {
    if (hasEnded() || Date.now() > deadline) {
      const why = hasEnded() ? `ended with ${child.exitCode ?? child.signalCode}` : 'was too slow'
      await end('SIGKILL')
      throw new Error(`The server did not start: it ${why}. Output:\n${printed}`)
    }
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS))
  }
  return {
    url,
    pid: child.pid ?? 0,
    dataFolder: folder,
    printed: () => printed,
    command: async (...words) => {
      const { stdout } = await execute(process.execPath, ['dist/server/cli.js', ...words], { env: settings })
      return stdout
    },
    stop: () => end('SIGTERM'),
    kill: async () => void (await end('SIGKILL')),
  }
}
