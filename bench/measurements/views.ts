import type { Page } from '@playwright/test'
import { openSignedIn } from '../client/open-list.ts'
import { sendAs } from '../client/requests.ts'
import type { Bench, Part } from '../measure.ts'
import {
  BOARD_CARDS,
  BOARD_DRAGGING,
  BOARD_REQUESTS,
  BOARD_SCROLLING,
  MONTH_DRAGGING,
  MONTH_RECORDS,
  MONTH_REQUESTS,
  TIMELINE_SCROLLING,
} from '../report/budgets.ts'
import { type Column, type Row, rowOfSingles, type Single } from '../report/result.ts'
import type { Environment } from '../setup/environment.ts'
import { USERS } from '../setup/create-users.ts'

const VIEW = 'Board by status'
const CARD = '.board-title'

/** Opens the board from the grid this many times; the first time fills the caches. */
const OPENINGS = 6

type Seen = Readonly<Record<'cards' | 'requests' | 'scrolling' | 'dragging', Single>>

const makeView = ({ port, tokens }: Environment) =>
  sendAs(port(), tokens().owner)('POST', '/api/collections/items/views', {
    name: VIEW,
    isShared: true,
    display: { kind: 'board', options: { by: 'status' } },
  })

const click = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click()

/** Time in ms from the click on the view until its first card is there. */
async function openBoard(page: Page): Promise<number> {
  await click(page, 'All records')
  await page.locator('.grid-row:not([aria-busy])').first().waitFor()
  const startedAt = performance.now()
  await click(page, VIEW)
  await page.locator(CARD).first().waitFor()
  const tookMs = performance.now() - startedAt
  await page.waitForLoadState('networkidle')
  return tookMs
}

type FrameRecording = { readonly scroller: string; readonly pxPerFrame: number; readonly forMs: number }

/** Frames per second while a column is scrolled or, without a scroll speed, while anything else happens. */
function recordFrames({ scroller: selector, pxPerFrame, forMs }: FrameRecording): Promise<number> {
  const scroller = document.querySelector(selector)
  if (!scroller) throw new Error(`There is no ${selector}.`)
  return new Promise((resolve) => {
    let frames = 0
    let startMs: number | undefined
    const step = (nowMs: number) => {
      startMs ??= nowMs
      if (nowMs - startMs >= forMs) return resolve((frames * 1000) / (nowMs - startMs))
      frames += 1
      scroller.scrollTop += pxPerFrame
      requestAnimationFrame(step)
    }
    requestAnimationFrame(step)
  })
}

async function dragAround(page: Page, dragged: string, forMs: number): Promise<number> {
  const first = page.locator(dragged).first()
  await first.hover()
  const box = await first.boundingBox()
  if (!box) throw new Error(`There is no ${dragged}.`)
  await page.mouse.move(box.x + 30, box.y + 10)
  await page.mouse.down()
  await page.mouse.move(box.x + 60, box.y + 40, { steps: 4 })
  const frames = page.evaluate(recordFrames, { scroller: 'body', pxPerFrame: 0, forMs })
  const until = performance.now() + forMs
  while (performance.now() < until) {
    await page.mouse.move(1300, 500, { steps: 40 })
    await page.mouse.move(100, 400, { steps: 40 })
  }
  const rate = await frames
  await page.keyboard.press('Escape')
  await page.mouse.up()
  return rate
}

async function seeBoard(bench: Bench, stage: Environment): Promise<Seen> {
  await makeView(stage)
  const { page, close } = await openSignedIn(stage.server().url, { email: USERS.owner, password: USERS.password })
  try {
    let requests = 0
    page.on('request', (request) => (requests += Number(/\/items\/(?:records|groups)\?/.test(request.url()))))
    await page.goto('/collections/items')
    const opened: number[] = []
    for (let at = 0; at < OPENINGS; at += 1) opened.push(await openBoard(page))
    const columns = await page.locator('.board-scroller').count()
    requests = 0
    await page.reload()
    await page.locator(CARD).first().waitFor()
    await page.waitForLoadState('networkidle')
    const sent = requests
    const forMs = bench.options.isQuick ? 1000 : 10_000
    const scrolling = await page.evaluate(recordFrames, { scroller: '.board-scroller', pxPerFrame: 40, forMs })
    const dragging = await dragAround(page, '.board-card', forMs)
    const [first = 0, ...warm] = opened
    return {
      cards: { figure: Math.max(...warm), unit: 'ms', note: `${first.toFixed(0)} the first time` },
      requests: { figure: sent / columns, unit: 'per column', note: `${sent} for ${columns} columns` },
      scrolling: { figure: scrolling, unit: 'fps' },
      dragging: { figure: dragging, unit: 'fps' },
    }
  } finally {
    await close()
  }
}

const VIEWS = {
  calendar: { kind: 'calendar', options: { start: 'due' } },
  timeline: { kind: 'timeline', options: { start: 'due', zoom: 'year' } },
} as const

/** Months before the current one, which have about 8,500 records per million. */
const MONTHS = 8

const SHOWN_MONTH = '.calendar-day:not([data-outside]) .event'

async function openDatedView(page: Page, { port, tokens }: Environment, name: keyof typeof VIEWS): Promise<void> {
  const view = await sendAs(port(), tokens().owner)('POST', '/api/collections/items/views', {
    name,
    display: VIEWS[name],
    pageSize: 'all',
  })
  await page.goto(`/collections/items?view=${String(view['id'])}`)
}

/** Time in ms from the click until the first records of the month are there, and the number of requests. */
async function goToMonthBefore(page: Page): Promise<{ readonly tookMs: number; readonly sent: number }> {
  let sent = 0
  const count = (request: { readonly url: () => string }) =>
    (sent += Number(/\/items\/(?:records|days)\?/.test(request.url())))
  page.on('request', count)
  const shown = await page.locator('.dates-title').innerText()
  const startedAt = performance.now()
  await page.getByRole('button', { name: 'Previous month' }).click()
  await page.locator('.dates-title').filter({ hasNotText: shown }).waitFor()
  await page.locator(SHOWN_MONTH).first().waitFor()
  const tookMs = performance.now() - startedAt
  await page.waitForLoadState('networkidle')
  page.off('request', count)
  return { tookMs, sent }
}

type SeenDates = Readonly<Record<'month' | 'requests' | 'dragging' | 'scrolling', Single>>

async function seeDates(bench: Bench, stage: Environment): Promise<SeenDates> {
  const { page, close } = await openSignedIn(stage.server().url, { email: USERS.owner, password: USERS.password })
  try {
    const forMs = bench.options.isQuick ? 1000 : 10_000
    await openDatedView(page, stage, 'calendar')
    await page.getByRole('button', { name: 'Previous month' }).waitFor()
    const months = []
    for (let at = 0; at < MONTHS; at += 1) months.push(await goToMonthBefore(page))
    const [first, ...warm] = months
    const dragging = await dragAround(page, '.calendar-events .event', forMs)
    await openDatedView(page, stage, 'timeline')
    await page.locator('.timeline-title').first().waitFor()
    const scrolling = await page.evaluate(recordFrames, { scroller: '.timeline-scroller', pxPerFrame: 40, forMs })
    return {
      month: {
        figure: Math.max(...warm.map(({ tookMs }) => tookMs)),
        unit: 'ms',
        note: `${(first?.tookMs ?? 0).toFixed(0)} the first time`,
      },
      requests: { figure: Math.max(...months.map(({ sent }) => sent)), unit: 'per month' },
      dragging: { figure: dragging, unit: 'fps' },
      scrolling: { figure: scrolling, unit: 'fps' },
    }
  } finally {
    await close()
  }
}

/** Opens, scrolls and drags on a board, a calendar and a timeline of all records, in a browser without a GPU. */
export const viewsPart: Part = {
  name: 'views',
  run: async (bench): Promise<Row[]> => {
    const seen = new Map<Column, Seen>()
    for (const stage of bench.stages) seen.set(stage.dialect, await seeBoard(bench, stage))
    const dates = new Map<Column, SeenDates>()
    for (const stage of bench.stages) dates.set(stage.dialect, await seeDates(bench, stage))
    const each = (name: keyof Seen) => new Map([...seen].map(([on, one]) => [on, one[name]]))
    const eachOfDates = (name: keyof SeenDates) => new Map([...dates].map(([on, one]) => [on, one[name]]))
    return [
      rowOfSingles(BOARD_CARDS, each('cards')),
      rowOfSingles(BOARD_REQUESTS, each('requests')),
      rowOfSingles(BOARD_SCROLLING, each('scrolling')),
      rowOfSingles(BOARD_DRAGGING, each('dragging')),
      rowOfSingles(MONTH_RECORDS, eachOfDates('month')),
      rowOfSingles(MONTH_REQUESTS, eachOfDates('requests')),
      rowOfSingles(MONTH_DRAGGING, eachOfDates('dragging')),
      rowOfSingles(TIMELINE_SCROLLING, eachOfDates('scrolling')),
    ]
  },
}
