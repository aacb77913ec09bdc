import { spawn } from 'node:child_process'

export type CommandEnd = { readonly exitCode: number; readonly output: string; readonly seconds: number }

/** Runs a command and collects its output. If the command can't be started, the output is the reason. */
export function runCommand(command: string, args: readonly string[]): Promise<CommandEnd> {
  const startedAt = performance.now()
  const secondsSoFar = () => (performance.now() - startedAt) / 1000
  return new Promise((resolve) => {
    // On Windows, npm's programs are batch files, which need a shell.
    const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], shell: process.platform === 'win32' })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
      })
    }
    child.on('error', (error) => resolve({ exitCode: 1, output: error.message, seconds: secondsSoFar() }))
    child.on('close', (code) => resolve({ exitCode: code ?? 1, output, seconds: secondsSoFar() }))
  })
}

/** Single-threaded, because parallel project builds repeat work; this halves the CPU time. */
export const TYPE_CHECK = {
  command: 'tsc',
  args: ['-b', '--singleThreaded', 'domain', 'api', 'server', 'web', 'tests'],
} as const
