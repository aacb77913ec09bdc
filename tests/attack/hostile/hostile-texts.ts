import { splitSample } from '#domain/imports/detect-format.ts'
import { type Client, demand } from '#tests/attack/workload/client.ts'
import { ENVIRONMENTS, type EnvironmentName, openEnvironment, ownerAt } from '#tests/attack/environments.ts'
import type { Findings, Trial, TrialRun } from '#tests/attack/trial.ts'
import { MEMBERS, TEXTS } from './payloads/corpora.ts'
import type { RawResponse } from './operations.ts'
import { createFixtures } from './fixtures.ts'
import { startWatched } from './watched-server.ts'
import { openRawConnection, type RawConnection } from './raw-connection.ts'

const KEPT = '/api/collections/kept'

/** The result of an executed template or formula: 7 × 191. */
const RAN = /\b1337\b/

const ASLEEP_MS = 5000

/**
 * Stores hostile texts everywhere, and checks that they come back unchanged, match only themselves, and stay plain text
 * in files, headers and emails.
 */
export const textTrials: readonly Trial[] = ENVIRONMENTS.map((environment) => ({
  name: 'hostile texts',
  environment,
  run: (run) => tryTexts(environment, run),
}))

type Look = {
  readonly owner: Client
  readonly wire: RawConnection
  readonly token: string
  readonly tell: (broken: string) => void
}

async function tryTexts(name: EnvironmentName, { isLong }: TrialRun): Promise<Findings> {
  const environment = await openEnvironment(name)
  const broken: string[] = []
  let inputs = 0
  let serverErrors = 0
  try {
    const server = await startWatched(environment)
    const owner = await ownerAt(server)
    await createFixtures(owner)
    const { token } = demand(
      await owner.ask('POST', '/api/tokens', { name: 'A reader', scopes: ['records:read', 'records:export'] }),
      201,
    ).body
    const counted = counting(owner, (status) => {
      inputs += 1
      if (status === 500) serverErrors += 1
    })
    const look = { owner: counted, wire: openRawConnection(server.url), token, tell: (one: string) => broken.push(one) }
    demand(await owner.ask('POST', '/api/collections', { label: 'Kept', fields: FIELDS }), 201)
    // The short run tries only every sixth text.
    const texts = TEXTS.filter((_, at) => isLong || at % 6 === 0)
    for (const text of texts) await keepOne(look, text)
    await exportAll(look, texts)
    for (const text of texts) await askWith(look, text)
    for (const text of texts) await storeAsNames(look, text)
    for (const text of texts) await sendFile(look, text)
    await readLetters(look)
    look.wire.close()
    const { stallMs } = await server.look()
    return { inputs, serverErrors, longestStallMs: stallMs, broken }
  } finally {
    await environment.close()
  }
}

const FIELDS = [
  { label: 'Text', kind: 'long-text' },
  { label: 'Files', kind: 'files' },
]

/** A client that returns the status of every response. */
function counting(client: Client, count: (status: number) => void): Client {
  const ask: Client['ask'] = async (method, path, body) => {
    const answer = await client.ask(method, path, body)
    count(answer.status)
    return answer
  }
  return { ...client, ask }
}

/** A text as it is stored: valid Unicode, with `\n` line breaks. */
const asKept = (text: string): string => text.toWellFormed().replaceAll(/\r\n?/g, '\n')

/** A text stored as a value must come back unchanged. */
async function keepOne({ owner, tell }: Look, text: string): Promise<void> {
  const made = demand(await owner.ask('POST', `${KEPT}/records`, { values: { text } }), 201).body
  const { body } = demand(await owner.ask('GET', `${KEPT}/records/${made.id}`), 200)
  if (body.values.text !== asKept(text))
    tell(`${JSON.stringify(text)} came back as ${JSON.stringify(body.values.text)}`)
}

/** As a filter value, the text matches only itself; elsewhere in a query it is rejected or matches nothing else. */
async function askWith({ owner, tell }: Look, text: string): Promise<void> {
  const askFor = (parameter: string, value: string) =>
    owner.ask('GET', `${KEPT}/records?perPage=500&count=exact&${parameter}=${encodeURIComponent(value.toWellFormed())}`)
  const startedAt = performance.now()
  const quoted = `"${asKept(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
  const found = await askFor('filter', `text = ${quoted}`)
  const strangers = found.status === 200 && found.body.items.some((one: Kept) => one.values.text !== asKept(text))
  if (found.status !== 200 || found.body.total < 1 || strangers)
    tell(`the filter for ${JSON.stringify(text)} gets ${found.status}: ${found.text.slice(0, 200)}`)
  for (const parameter of [
    'filter',
    'sort',
    'search',
    'fields',
    'expand',
    'cursor',
    'breaks',
    'page',
    'count',
    'choices',
  ]) {
    const { status, text: said } = await askFor(parameter, text)
    if (![200, 400, 404].includes(status))
      tell(`${parameter}=${JSON.stringify(text)} answers ${status}: ${said.slice(0, 200)}`)
  }
  for (const parameter of ['by', 'aggregates', 'sort'])
    await owner.ask('GET', `${KEPT}/groups?by=text&${parameter}=${encodeURIComponent(text.toWellFormed())}`)
  await owner.ask('GET', `/api/search?q=${encodeURIComponent(text.toWellFormed())}`)
  if (performance.now() - startedAt > ASLEEP_MS) tell(`${JSON.stringify(text)} executed a delay`)
}

type Kept = { readonly values: { readonly text: string } }

/** Text that a spreadsheet would execute. */
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/
const CSV = { separator: ',', quote: '"' } as const

/** In a CSV, no cell is a formula, cells stay separate, and the file imports unchanged. */
async function exportAll({ owner, tell }: Look, texts: readonly string[]): Promise<void> {
  for (const escapeFormulas of ['yes', 'no']) {
    const { text: csv } = demand(
      await owner.ask('GET', `${KEPT}/export.csv?fields=text&escapeFormulas=${escapeFormulas}`),
      200,
    )
    const [, ...lines] = splitSample(csv, CSV, false)
    const cells = lines.map(([cell = '']) => cell)
    if (lines.length !== texts.length || lines.some((line) => line.length !== 1))
      tell(`the file has ${lines.length} lines instead of ${texts.length}`)
    const formulas = escapeFormulas === 'yes' ? cells.filter((cell) => FORMULA.test(cell)) : []
    for (const cell of formulas) tell(`a spreadsheet executes ${JSON.stringify(cell)}`)
  }
}

/** As a name, the text is stored or rejected; as a download name, it can't break out of its header. */
async function storeAsNames({ owner, wire, token, tell }: Look, text: string): Promise<void> {
  const made = await owner.ask('POST', '/api/collections', { label: text, fields: [{ label: text, kind: 'text' }] })
  if (![201, 400, 422].includes(made.status)) tell(`a collection called ${JSON.stringify(text)} gets ${made.status}`)
  if (made.status === 201) {
    const path = `/api/collections/${made.body.name}/export.csv?header=label&escapeFormulas=yes`
    const heard = await wire.send({ method: 'GET', path, headers: { authorization: `Bearer ${token}` } })
    faultsInDownload(heard).forEach((fault) => tell(`the export of ${JSON.stringify(text)} ${fault}`))
    const [[head = ''] = []] = splitSample(typeof heard === 'string' ? '' : heard.text, CSV, false)
    if (FORMULA.test(head)) tell(`the header of an export executes ${JSON.stringify(text)}`)
    demand(await owner.ask('DELETE', `/api/collections/${made.body.id}`), 204)
  }
  await owner.ask('POST', '/api/collections', { name: text, label: 'Named' })
  await owner.ask('POST', `${KEPT}/fields`, { name: text, label: 'Named', kind: 'text' })
  await owner.ask('POST', `${KEPT}/views`, { name: text, query: { filter: text, sort: text } })
  await owner.ask('POST', '/api/roles', { name: text, policies: [] })
  await owner.ask('POST', `${KEPT}/records`, { values: Object.fromEntries(MEMBERS.map((name) => [name, text])) })
  const email = `invited-${(invited += 1)}@example.org`
  await owner.ask('POST', '/api/users', { email, name: text, roles: ['viewer'] })
}

let invited = 0

async function sendFile({ owner, wire, token, tell }: Look, text: string): Promise<void> {
  const form = new FormData()
  form.append('filepond', new Blob(['bytes']), text)
  const sent = await owner.ask('POST', '/api/uploads?collection=kept&field=files', form)
  if (sent.status !== 201) return
  const made = demand(await owner.ask('POST', `${KEPT}/records`, { values: { files: [sent.text] } }), 201).body
  const { body } = demand(await owner.ask('GET', `${KEPT}/records/${made.id}?expand=files`), 200)
  const name: string = body.values.files[0].name
  // Path separators, and characters that change the text direction.
  if (/[/\\\p{Cc}\u202e]/u.test(name)) tell(`a file is called ${JSON.stringify(name)}`)
  for (const path of [`/api/files/${sent.text}?download`, `${KEPT}/records/${made.id}/files.zip?field=files`]) {
    const heard = await wire.send({ method: 'GET', path, headers: { authorization: `Bearer ${token}` } })
    faultsInDownload(heard).forEach((fault) => tell(`${path} of ${JSON.stringify(text)} ${fault}`))
  }
}

/** RFC 6266: the file name as a token or a quoted string, and again in UTF-8. */
const DISPOSITION =
  /^attachment; filename=(?:[\w!#$%&'*+.^`|~-]+|"(?:[^"\\\p{Cc}]|\\["\\])*")(?:; filename\*=UTF-8''[\w.%!$&+^`|~-]*)?$/u

function faultsInDownload(heard: RawResponse | string): readonly string[] {
  if (typeof heard === 'string') return [`ends with: ${heard}`]
  const { headers, status } = heard
  const disposition = String(headers['content-disposition'] ?? '')
  const strange = ['set-cookie', 'x-ran'].filter((name) => name in headers)
  return [
    ...strange.map((name) => `has a header ${name}`),
    ...(status === 200 ? [] : [`answers ${status}`]),
    ...(DISPOSITION.test(disposition) ? [] : [`has ${disposition}`]),
  ]
}

/** In emails, the text stays plain text and can't add a second subject. */
async function readLetters({ owner, tell }: Look): Promise<void> {
  const { items } = demand(await owner.ask('GET', '/api/outbox'), 200).body
  for (const { subject, text } of items) {
    if (RAN.test(text) || RAN.test(subject)) tell(`an email executed its text: ${text}`)
    if (/[\r\n]/.test(subject)) tell(`an email has two subjects: ${JSON.stringify(subject)}`)
  }
}
