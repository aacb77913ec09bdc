import { difference, takeSnapshot, type Snapshot, leftoverFiles, withoutRandom } from './snapshot.ts'
import type { Place, Places } from './places.ts'
import { runCommand } from './run-command.ts'
import type { Scenario } from './scenarios.ts'
import type { World } from './fixtures.ts'

export type Found = { readonly points: number; readonly tried: number; readonly faults: readonly string[] }

/** Number of commands killed concurrently. */
const AT_A_TIME = 2

/** Snapshots before a command and after a complete run. */
type Ends = { readonly known: Snapshot; readonly before: Snapshot; readonly after: Snapshot }

type Stage = { readonly places: Places; readonly world: World; readonly scenario: Scenario }

/** Kills a command at each of its operations, or at no more than `most` of them, and checks the resulting state. */
export async function crashEverywhere(stage: Stage, most: number): Promise<Found> {
  const { ends, points, faults } = await runToItsEnd(stage)
  const waiting = chosen(points, most)
  const tried = waiting.length
  const work = async (): Promise<void> => {
    for (let at = waiting.shift(); at !== undefined; at = waiting.shift()) {
      faults.push(...(await crashAt(stage, at, ends)))
    }
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, work))
  return { points, tried, faults }
}

/** Selects evenly distributed crash points, including the last ones, where a command commits. */
function chosen(points: number, most: number): number[] {
  const count = Math.min(points, most)
  return Array.from({ length: count }, (_, at) => Math.ceil(((at + 1) * points) / count) - (count < points ? 2 : 0))
}

async function runToItsEnd(stage: Stage) {
  const { world, scenario } = stage
  const place = await world[scenario.place].open()
  const known = without(scenario, await takeSnapshot(place.config))
  const { run, examine } = await runnerOn(stage, place)
  const { exitCode, printed, points } = await run()
  const after = withoutRandom(without(scenario, await takeSnapshot(place.config)), known)
  const faults = [...(await leftoverFiles(place.config)), ...(await examine())]
  if (exitCode !== 0) faults.push(`A complete run ended with ${exitCode}: ${printed}`)
  await place.remove()
  return { ends: { known, before: withoutRandom(known, known), after }, points: points.length, faults }
}

const without = ({ passing }: Scenario, stats: Snapshot): Snapshot =>
  stats.filter((line) => passing?.test(line) !== true)

/** Creates a function that runs the command in a place; it can be called repeatedly. */
async function runnerOn({ places, world, scenario }: Stage, place: Place) {
  const folder = await places.folder()
  return {
    run: async (at?: number) => {
      const words = await scenario.words(world, place, folder)
      return runCommand(place, [scenario.command, ...words], at)
    },
    examine: async (): Promise<readonly string[]> => (await scenario.examine?.(folder)) ?? [],
  }
}

async function crashAt(stage: Stage, at: number, ends: Ends): Promise<readonly string[]> {
  const { world, scenario } = stage
  const place = await world[scenario.place].open()
  const see = async (): Promise<Snapshot> =>
    withoutRandom(without(scenario, await takeSnapshot(place.config)), ends.known)
  const faults: string[] = []
  const { run, examine } = await runnerOn(stage, place)
  const killed = await run(at)
  const fault = (text: string): void => void faults.push(`Killed at "${killed.points.at(-1)}": ${text}`)
  try {
    const left = await see()
    const state = stateOf(left, ends)
    if (state === 'neither') fault(`the state is neither before nor after. ${howFar(left, ends)}`)
    for (const finding of await examine()) fault(finding)
    const again = await run()
    const isDone = again.exitCode === 0 || (state === 'after' && scenario.refuses?.test(again.printed) === true)
    if (!isDone) fault(`repeated, it ended with ${again.exitCode}: ${again.printed}`)
    const last = await see()
    if (state === 'before' && stateOf(last, ends) !== 'after') fault(`repeated: ${howFar(last, ends)}`)
    for (const finding of [...(await leftoverFiles(place.config)), ...(await examine())])
      fault(`repeated, it left ${finding}`)
  } catch (error) {
    fault(String(error))
  }
  await place.remove()
  return faults
}

/** A state with additional files, a storage ID or a first key still counts as the state before the command. */
function stateOf(stats: Snapshot, { before, after }: Ends): 'before' | 'after' | 'neither' {
  if (isSame(after, stats)) return 'after'
  const [known, coming] = [new Set(before), new Set(after)]
  const isComing = (line: string): boolean =>
    /^(?:file|storage|key) /.test(line) && coming.has(line) && !known.has(line)
  return isSame(
    before,
    stats.filter((line) => !isComing(line)),
  )
    ? 'before'
    : 'neither'
}

const isSame = (one: Snapshot, other: Snapshot): boolean => one.join('\n') === other.join('\n')

const howFar = (stats: Snapshot, { before, after }: Ends): string =>
  [
    `From before: ${difference(before, stats).slice(0, 4).join(' | ')}.`,
    `From after: ${difference(after, stats).slice(0, 4).join(' | ')}.`,
  ].join(' ')
