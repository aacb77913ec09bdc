/** `npm run check`: format, lint, types, unused code and quick tests in under a minute. */
import { runCommand, TYPE_CHECK } from './run-command.ts'

type Step = { readonly name: string; readonly command: string; readonly args: readonly string[] }

/** The quick tier; tests with PostgreSQL, HTTP or a browser run in `npm test`. */
const PROJECTS = ['domain', 'web', 'architecture', 'server-sqlite'].flatMap((name) => ['--project', name])
process.env['TEST_TIER'] = 'quick'

// The type checker and the linter are Go programs; less frequent garbage collection saves a fifth of their run time.
process.env['GOGC'] = '400'

/** Slowest first, so that both parallel queues finish at about the same time. */
const STEPS: readonly Step[] = [
  { name: 'tests', command: 'vitest', args: ['run', ...PROJECTS] },
  { name: 'types', ...TYPE_CHECK },
  { name: 'lint', command: 'oxlint', args: ['--type-aware'] },
  { name: 'unused', command: 'knip', args: ['--no-progress', '--cache', '--cache-location', '.cache/knip'] },
  { name: 'format', command: 'biome', args: ['format', '--reporter=summary'] },
  { name: 'lockfile', command: 'node', args: ['scripts/check-lockfile.ts'] },
]

/** The core count of the smallest supported development machine. */
const STEPS_AT_A_TIME = 2

/** Runs queued steps sequentially and returns the names of failed steps. */
async function work(waiting: Step[]): Promise<string[]> {
  const failed: string[] = []
  for (let step = waiting.shift(); step; step = waiting.shift()) {
    const { exitCode, output, seconds } = await runCommand(step.command, step.args)
    console.log(`${exitCode === 0 ? '✓' : '✗'} ${step.name.padEnd(9)} ${seconds.toFixed(1).padStart(5)} s`)
    if (exitCode === 0) continue
    failed.push(step.name)
    console.log(`\n${output.trim()}\n`)
  }
  return failed
}

const waiting = [...STEPS]
const failed = (await Promise.all(Array.from({ length: STEPS_AT_A_TIME }, () => work(waiting)))).flat()
const total = (performance.now() / 1000).toFixed(1)
console.log(failed.length === 0 ? `\nAll checks passed in ${total} s.` : `\nFailed: ${failed.join(', ')} (${total} s).`)
process.exitCode = failed.length === 0 ? 0 : 1
