import { demand, signIn, type Client } from '#tests/attack/workload/client.ts'
import { openEnvironment, ownerAt } from '#tests/attack/environments.ts'
import type { Findings, Trial, TrialRun } from '#tests/attack/trial.ts'
import { TEST_PASSWORD } from '#tests/support/server/test-app.ts'
import { untestedPlaces } from './script-injection/untested-places.ts'
import { openMarks, type Marks } from './script-injection/marks.ts'
import { plantDefinition } from './script-injection/plant-definitions.ts'
import { plantBulk, plantImports } from './script-injection/plant-imports.ts'
import {
  invitationsOf,
  invitedIn,
  plantNotes,
  plantOwn,
  plantPeople,
  plantRights,
} from './script-injection/plant-people.ts'
import { plantRecords } from './script-injection/plant-records.ts'
import { type Planter, planterOf } from './script-injection/planter.ts'
import { SCRIPT_TEXTS } from './script-injection/script-texts.ts'
import { type Names, namesIn, spray } from './script-injection/spray.ts'
import { walkThrough, walkToPasskeys } from './script-injection/walk.ts'
import { openWatchedBrowser, type WatchedBrowser } from './script-injection/watched-browser.ts'
import { createFixtures } from './fixtures.ts'
import { startWatched } from './watched-server.ts'

const ROUNDS = 6
const LANGUAGES = ['en', 'de'] as const
/** Number of texts in the short run. */
const SHORT = 3

/** Stores script-injection texts everywhere a user can enter text, and opens every page in a real browser. */
export const scriptTrials: readonly Trial[] = [
  { name: 'stored scripts', environment: 'SQLite + disk', run: tryScripts },
]

async function tryScripts(run: TrialRun): Promise<Findings> {
  const environment = await openEnvironment('SQLite + disk')
  const broken: string[] = []
  const marks = openMarks()
  try {
    const server = await startWatched(environment, { DOSSIER_TRUSTED_PROXIES: '127.0.0.1,::1' })
    const owner = await ownerAt(server)
    await createFixtures(owner)
    const names = await namesIn(owner)
    const browser = await openWatchedBrowser(server.url, marks)
    try {
      for (const round of roundsOf(run)) await tryRound({ owner, names, browser, marks, broken }, run, round)
      broken.push(...browser.findings())
    } finally {
      await browser.close()
    }
    const summary = marks.summary()
    summary.lines.forEach(run.say)
    // The short run checks only a sample.
    if (run.isLong) broken.push(...summary.broken)
    const { stallMs } = await server.look()
    return { inputs: marks.count(), longestStallMs: stallMs, broken }
  } finally {
    await environment.close()
  }
}

type Round = {
  readonly number: number
  readonly texts: readonly string[]
  readonly language: (typeof LANGUAGES)[number]
}

/** The long run tries every text in six rounds, two per language; the short run tries a few. */
function roundsOf({ isLong, seed }: TrialRun): readonly Round[] {
  if (!isLong) {
    const every = Math.ceil(SCRIPT_TEXTS.length / SHORT)
    const texts = SCRIPT_TEXTS.filter((_, at) => at % every === seed % every)
    return [{ number: 1, texts, language: 'en' }]
  }
  return Array.from({ length: ROUNDS }, (_, number) => ({
    number: number + 1,
    texts: SCRIPT_TEXTS.filter((_text, at) => at % ROUNDS === number),
    language: LANGUAGES[number % LANGUAGES.length] ?? 'en',
  }))
}

type World = {
  readonly owner: Client
  readonly names: Names
  readonly browser: WatchedBrowser
  readonly marks: Marks
  readonly broken: string[]
}

async function tryRound({ owner, names, browser, marks, broken }: World, run: TrialRun, round: Round): Promise<void> {
  const own = await ownerAt(owner)
  const { token } = await signIn(owner, 'a-owner@example.org', TEST_PASSWORD)
  const client = owner.as(token)
  const tell = (one: string): void => void broken.push(one)
  const writing = { own, marks, texts: round.texts, round: String(round.number), tell }
  const planter = planterOf({ client, ...writing })
  const planterOfOwn = planterOf({ client: own, ...writing })
  const { people, planted, ...placed } = await plantAll(planter, planterOfOwn)
  if (round.number === 1) {
    const takeBack = await plantOwn(planterOfOwn)
    await walkToPasskeys(browser, run.isLong)
    await takeBack()
  }
  let turn = round.number
  const next = () => SCRIPT_TEXTS[(turn += 1) % SCRIPT_TEXTS.length] ?? ''
  const { blamed, untried } = await spray({ client, token, names }, { marks, next })
  await plantNotes(planter, people)
  const missed = untestedPlaces(untried, marks.fates()).map((place) => `nothing was stored in ${place}`)
  broken.push(...blamed, ...missed)
  run.say(`round ${round.number}: ${marks.count()} texts so far`)
  const sprayed = demand(await client.ask('GET', `/api/collections/${names['collection']}`), 200).body
  const pages = await walkThrough(browser, {
    ...placed,
    collection: planted.name,
    views: planted.views,
    definitions: [...placed.definitions, sprayed.name],
    noted: invitedIn(planter.round),
    invitations: await invitationsOf(planter),
    language: round.language,
    isLong: run.isLong,
    isThorough: run.isLong && round.number <= LANGUAGES.length,
  })
  run.say(`round ${round.number}: ${pages} pages, ${browser.findings().length} findings`)
  browser.findings().forEach(run.say)
}

/** Stores the texts of a round in manually listed places; returns where to look for them. */
async function plantAll(planter: Planter, own: Planter) {
  const people = await plantPeople(planter)
  const shelves = await planter.put('createRecord.values.* of a related record', (text) => [
    'POST',
    '/api/collections/shelves/records',
    { values: { title: text } },
  ])
  const { id } = demand(await planter.client.ask('GET', '/api/collections/shelves'), 200).body
  const planted = await plantDefinition(planter)
  const records = await plantRecords(planter, planted, {
    people,
    shelves: { id, records: shelves.map((one) => one.id) },
  })
  const rights = await plantRights(planter, planted)
  const imported = await plantImports(own, planted)
  const changed = await plantBulk(planter, planted)
  const definitions = [...planted.definitions, imported.collection]
  return {
    people,
    planted,
    record: records[0] ?? '',
    records,
    changed,
    ...rights,
    definitions,
    imports: imported.pages,
  }
}
