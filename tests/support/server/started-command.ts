import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { placeOf, type ServerSettings } from './started-server.ts'

/** A command of administration that is under way. */
export type StartedCommand = {
  /** How it ended, null where it was killed, and everything it printed. */
  readonly over: Promise<{ readonly exitCode: number | null; readonly printed: string }>
  /** Ends it as a power cut would. */
  readonly kill: () => void
}

/** Starts `npm run dossier -- …` on the place of a server. */
export async function startCommand(wanted: ServerSettings, words: readonly string[]): Promise<StartedCommand> {
  const { settings } = await placeOf(wanted)
  const child = spawn(process.execPath, ['dist/server/cli.js', ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: settings,
  })
  const endWithUs = (): void => void child.kill('SIGKILL')
  process.once('exit', endWithUs)
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
  }
  const over = once(child, 'close').then(() => {
    process.removeListener('exit', endWithUs)
    return { exitCode: child.exitCode, printed }
  })
  return { over, kill: endWithUs }
}
