import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { placeOf, type ServerSettings } from './started-server.ts'

export type StartedCommand = {
  /** The exit code (null if the command was killed) and the output. */
  readonly over: Promise<{ readonly exitCode: number | null; readonly printed: string }>
  readonly kill: () => void
}

/** Starts `npm run dossier -- …` with a server's settings. */
export async function startCommand(
  settingsOfServer: ServerSettings,
  words: readonly string[],
): Promise<StartedCommand> {
  const { settings } = await placeOf(settingsOfServer)
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
