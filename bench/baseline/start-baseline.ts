import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export type Baseline = {
  readonly port: number
  readonly pid: number
  readonly token: string
  /** Standard error output of the server. */
  readonly printed: () => string
  readonly close: () => Promise<void>
}

const RECORDS = fileURLToPath(new URL('./baseline-server.ts', import.meta.url))
const FILES = fileURLToPath(new URL('./file-server.ts', import.meta.url))
const PROBE = new URL('../setup/event-loop-probe.ts', import.meta.url).href
const TOKEN = 'as good as any'

/** Fills the database and starts the baseline server in the given folder. */
export const startBaseline = (folder: string, size: number): Promise<Baseline> =>
  start([RECORDS, join(folder, 'floor.db'), String(size), TOKEN])

/** Starts the file baseline in the given folder, with the same event-loop probe. */
export const startFileBaseline = (folder: string): Promise<Baseline> => start(['--import', PROBE, FILES, folder])

async function start(program: readonly string[]): Promise<Baseline> {
  const child = spawn(process.execPath, [...program], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // Uses Node's default options; the product's options trade speed for memory.
    env: { ...process.env, NODE_OPTIONS: '' },
  })
  const endWithUs = () => child.kill('SIGKILL')
  process.once('exit', endWithUs)
  let printed = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    printed += text
  })
  const lines = createInterface({ input: child.stdout })
  const exited = once(child, 'exit').then(() => [''])
  const [line = ''] = (await Promise.race([once(lines, 'line'), exited])) as readonly string[]
  const port = Number(/^port (\d+)$/.exec(line)?.[1])
  if (!port) throw new Error(`The bare server did not start. ${printed}`)
  const close = async () => {
    process.removeListener('exit', endWithUs)
    if (child.exitCode === null && child.kill('SIGKILL')) await exited
  }
  return { port, pid: child.pid ?? 0, token: TOKEN, printed: () => printed, close }
}
