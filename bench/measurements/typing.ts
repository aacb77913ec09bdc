import type { Page } from '@playwright/test'
import { fetchJson } from '../client/requests.ts'
import { keyToPicture, noPromise } from '../report/budgets.ts'
import { longDocument } from '../setup/long-document.ts'
import type { Bench, Part } from '../measure.ts'
import { openSignedIn } from '../client/open-list.ts'
import { type Column, type Row, rowOfSingles, type Single } from '../report/result.ts'
import { USERS } from '../setup/create-users.ts'
import type { Environment } from '../setup/environment.ts'

const PAGES = 100
const KEYS = 200
const QUICK_KEYS = 40

/** Caret positions as fractions of the document. */
const PLACES = [
  ['at the beginning', 0],
  ['in the middle', 0.5],
  ['at the end', 1],
] as const

const WORDS = 'and whatever was left on the quay when it went '

const percentile = (figures: readonly number[], share: number): number =>
  figures.toSorted((left, right) => left - right)[Math.min(figures.length - 1, Math.floor(figures.length * share))] ?? 0

/** Places the caret at this fraction of the document and scrolls it into view. */
function caretAt(share: number): void {
  const blocks = document.querySelectorAll('.ProseMirror > p')
  const block = blocks[Math.round(share * (blocks.length - 1))]
  if (!block) throw new Error('There is no document.')
  block.scrollIntoView({ block: 'center' })
  document.querySelector<HTMLElement>('.ProseMirror')?.focus({ preventScroll: true })
  getSelection()?.collapse(block, 0)
}

/**
 * Records the time from each key press to the end of the frame that shows it; `keysSeen` returns the times since the
 * last call.
 */
function watchKeys(): void {
  const seen: number[] = []
  const channel = new MessageChannel()
  const frames: (() => void)[] = []
  channel.port1.onmessage = () => frames.shift()?.()
  addEventListener(
    'keydown',
    ({ timeStamp }) => {
      requestAnimationFrame(() => {
        // A task queued in the frame runs after the paint.
        frames.push(() => seen.push(performance.now() - timeStamp))
        channel.port2.postMessage(undefined)
      })
    },
    { capture: true },
  )
  Object.assign(globalThis, { keysSeen: () => seen.splice(0) })
}

const keysSeen = (page: Page): Promise<number[]> =>
  // `watchKeys` defines this function.
  page.evaluate(() => (globalThis as unknown as { keysSeen: () => number[] }).keysSeen())

async function typeAt(page: Page, share: number, keys: number): Promise<Single> {
  await page.evaluate(caretAt, share)
  await page.keyboard.press('ArrowRight')
  await keysSeen(page)
  for (let at = 0; at < keys; at += 1) await page.keyboard.press(WORDS[at % WORDS.length] ?? ' ')
  await page.evaluate(() => new Promise((painted) => requestAnimationFrame(() => setTimeout(painted))))
  const seen = await keysSeen(page)
  if (seen.length < keys) throw new Error(`Of ${keys} keys ${seen.length} were seen.`)
  const note = `p50 ${percentile(seen, 0.5).toFixed(0)}, longest ${Math.max(...seen).toFixed(0)}`
  return { figure: percentile(seen, 0.95), unit: 'ms', note }
}

async function makeRecord({ port, tokens }: Environment): Promise<string> {
  const { owner: token } = tokens()
  const fields = [{ label: 'Text', kind: 'rich-text' }]
  await fetchJson(port(), { method: 'POST', path: '/api/collections', token, body: { label: 'Essays', fields } })
  const body = { values: { text: longDocument(PAGES) } }
  const { id } = await fetchJson(port(), { method: 'POST', path: '/api/collections/essays/records', token, body })
  return String(id)
}

type Seen = { readonly opened: Single; readonly typed: readonly Single[] }

async function openAndType(bench: Bench, stage: Environment): Promise<Seen> {
  const record = await makeRecord(stage)
  const { page, close } = await openSignedIn(stage.server().url, { email: USERS.owner, password: USERS.password })
  try {
    await page.addInitScript(watchKeys)
    const startedAt = performance.now()
    await page.goto(`/collections/essays/${record}`)
    await page.locator('.ProseMirror[contenteditable=true]').waitFor()
    const opened = { figure: performance.now() - startedAt, unit: 'ms' }
    await page.waitForLoadState('networkidle')
    const typed: Single[] = []
    for (const [, share] of PLACES) typed.push(await typeAt(page, share, bench.options.isQuick ? QUICK_KEYS : KEYS))
    return { opened, typed }
  } finally {
    await close()
  }
}

/** Measures the time from key press to painted character in a 100-page document, in a browser without a GPU. */
export const typingPart: Part = {
  name: 'typing',
  run: async (bench): Promise<Row[]> => {
    const seen = new Map<Column, Seen>()
    for (const stage of bench.stages) seen.set(stage.dialect, await openAndType(bench, stage))
    const each = (tell: (one: Seen) => Single | undefined) => new Map([...seen].map(([on, one]) => [on, tell(one)]))
    return [
      rowOfSingles(
        noPromise(`Document of ${PAGES} pages, until it is editable`),
        each(({ opened }) => opened),
      ),
      ...PLACES.map(([where], at) =>
        rowOfSingles(
          keyToPicture(where),
          each(({ typed }) => typed[at]),
        ),
      ),
    ]
  },
}
