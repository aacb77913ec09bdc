import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ALL_COMMANDS } from '#server/operations/commands/all-commands.ts'
import { startServer } from '#tests/support/server/started-server.ts'
import { testDialect } from '#tests/support/database/test-database.ts'
import { OWNER } from '#tests/support/server/test-workspace.ts'
import { clientAt, signIn } from '#tests/attack/workload/client.ts'
import { crashEverywhere } from './crash-everywhere.ts'
import { difference, takeSnapshot } from './snapshot.ts'
import { type FilesAre, openPlaces, type Places } from './places.ts'
import { runCommand } from './run-command.ts'
import { type Scenario, SCENARIOS, WITHOUT_SCENARIO } from './scenarios.ts'
import { createWorld, type World } from './fixtures.ts'

/**
 * Testing every crash point of every command takes an hour (CRASH_POINTS=all); the daily run tests one crash point per
 * command.
 */
const IS_COMPLETE = process.env['CRASH_POINTS'] === 'all'
const TRIED = IS_COMPLETE ? Number.POSITIVE_INFINITY : 1

/** Scenarios in the daily run that use files in S3. */
const DAILY_IN_S3 = { sqlite: /over another workspace|--to s3/, postgres: /backup|files:copy|storage:adopt/ }

function scenariosFor(files: FilesAre): readonly Scenario[] {
  if (files === 'on disk') return SCENARIOS.filter((scenario) => scenario.files !== 'only')
  const all = SCENARIOS.filter((scenario) => scenario.files !== undefined)
  return IS_COMPLETE ? all : all.filter(({ title }) => DAILY_IN_S3[testDialect()].test(title))
}

/** A restore ends all sessions, and cursors of the change log. */
const CHANGED_BY_RESTORE = /^- (?:sessions |workspace .*"change-log-id")/

const HOURS_MS = 3 * 60 * 60 * 1000

describe.each<FilesAre>(['on disk', 'in S3'])('killed at any of its operations, files %s,', (files) => {
  let places: Places
  let world: World
  beforeAll(async () => {
    places = await openPlaces(files)
    world = await createWorld(places)
  })
  afterAll(() => places.close())

  test.each(scenariosFor(files))(
    '$title leaves the state before or after it',
    async (scenario) => {
      const { points, tried, faults } = await crashEverywhere({ places, world, scenario }, TRIED)
      process.stdout.write(`${testDialect()}, files ${files}, ${scenario.title}: ${tried} of ${points} points\n`)
      expect(faults).toEqual([])
    },
    HOURS_MS,
  )

  if (files === 'in S3' && !IS_COMPLETE) return

  test('a server that starts after a killed restore completes the restore and logs this', async () => {
    const words = ['restore', world.backup, '--replace']
    const [first, place] = [await world.other.open(), await world.other.open()]
    const { points } = await runCommand(first, words)
    const at = points.findIndex((point) => point.includes('rename keys.json')) + 1
    expect(at, points.join('\n')).toBeGreaterThan(0)
    expect((await runCommand(place, words, at)).exitCode).toBe(null)
    const { dataFolder, databaseUrl } = place.config
    const server = await startServer({
      dataFolder,
      ...(databaseUrl && { databaseUrl: databaseUrl.reveal() }),
      env: place.env,
    })
    expect(server.printed()).toContain('An interrupted restore was completed')
    await signIn(clientAt(server.url), 'older-1@example.org', OWNER.password)
    await server.stop()
    await Promise.all([first.remove(), place.remove()])
  })

  test('the data that a restore replaced can itself be restored completely', async () => {
    const scenario = SCENARIOS.find(({ place }) => place === 'replaced')
    const [original, place] = [await world.other.open(), await world.replaced.open()]
    const words = (await scenario?.words(world, place, '')) ?? []
    const { exitCode, printed } = await runCommand(place, ['restore', ...words])
    expect(exitCode, printed).toBe(0)
    const [was, is] = [await takeSnapshot(original.config), await takeSnapshot(place.config)]
    const lost = difference(was, is).filter((line) => line.startsWith('-') && !CHANGED_BY_RESTORE.test(line))
    expect(lost).toEqual([])
    await Promise.all([original.remove(), place.remove()])
  })
})

test('every command has a crash scenario or is known to change nothing', () => {
  const covered = new Set([...SCENARIOS.map(({ command }) => command), ...WITHOUT_SCENARIO])
  expect(ALL_COMMANDS.map(({ name }) => name).filter((name) => !covered.has(name))).toEqual([])
})
