export const MAX_ROWS = 1000

export const MAX_COLUMNS = 50

const ITEM = /mso-list:\s*l\d+\s+level(\d+)\s+lfo\d+/i

const NUMBERED = /^\(?(\d+|[a-z]{1,5})[.)]/i

const DEEPEST = 9

type Item = { readonly element: HTMLElement; readonly level: number; readonly sign: string }

function itemOf(element: Element | null): Item | undefined {
  if (!(element instanceof HTMLElement) || element.tagName !== 'P') return undefined
  const level = Number(ITEM.exec(element.getAttribute('style') ?? '')?.[1])
  if (!(level >= 1 && level <= DEEPEST)) return undefined
  return { element, level, sign: signOf(element)?.textContent?.trim() ?? '' }
}

/** Word's style for elements that only render a bullet or number; it may contain line breaks. */
const SIGN = /mso-list:\s*Ignore/i

const signsIn = (element: Element): Element[] =>
  [...element.querySelectorAll('[style]')].filter((part) => SIGN.test(part.getAttribute('style') ?? ''))

const signOf = (element: Element): Element | undefined => signsIn(element)[0]

function listFor(document: Document, { sign }: Item): HTMLElement {
  const number = NUMBERED.exec(sign)?.[1]
  if (number === undefined) return document.createElement('ul')
  const list = document.createElement('ol')
  if (/^\d{1,6}$/.test(number)) list.setAttribute('start', number)
  return list
}

type OpenList = { readonly list: HTMLElement; readonly level: number }

function append(open: OpenList[], item: Item, document: Document): void {
  while (open.length > 1 && (open.at(-1)?.level ?? 0) > item.level) open.pop()
  const last = open.at(-1)
  if (!last) return
  const line = document.createElement('li')
  const paragraph = document.createElement('p')
  paragraph.append(...item.element.childNodes)
  line.append(paragraph)
  if (item.level <= last.level) {
    last.list.append(line)
    return
  }

  const list = listFor(document, item)
  list.append(line)
  last.list.lastElementChild?.append(list)
  open.push({ list, level: item.level })
}

function runFrom(first: Item): Item[] {
  const run = [first]
  for (;;) {
    const next = itemOf(run.at(-1)?.element.nextElementSibling ?? null)
    if (!next || startsNewList(run, next)) return run
    run.push(next)
  }
}

/** Switching between bullets and numbers at the same level starts a new list. */
function startsNewList(run: readonly Item[], next: Item): boolean {
  const isNumbered = ({ sign }: Item) => NUMBERED.test(sign)
  const top = run[0]
  return top !== undefined && next.level === top.level && isNumbered(next) !== isNumbered(top)
}

/** Converts paragraphs that Word formats as list items into nested lists. */
function rebuildWordLists(body: HTMLElement): void {
  const document = body.ownerDocument
  for (const paragraph of body.querySelectorAll('p')) {
    const first = body.contains(paragraph) ? itemOf(paragraph) : undefined
    if (!first) continue
    const run = runFrom(first)
    for (const { element } of run) signOf(element)?.remove()
    const list = listFor(document, first)
    paragraph.before(list)
    const open = [{ list, level: first.level }]
    for (const item of run) append(open, item, document)
    for (const { element } of run) element.remove()
  }
  for (const sign of signsIn(body)) sign.remove()
}

const BLOCKS_IN_CELLS =
  'h1, h2, h3, h4, h5, h6, ul, ol, li, dl, dt, dd, blockquote, pre, table, tbody, thead, tr, td, th, hr'

function rename(element: Element, tagName: string): HTMLElement {
  const other = element.ownerDocument.createElement(tagName)
  other.append(...element.childNodes)
  element.replaceWith(other)
  return other
}

const span = (cell: HTMLTableCellElement, name: 'colSpan' | 'rowSpan', most: number): number =>
  Math.min(Math.max(cell[name], 1), most)

type Line = (HTMLTableCellElement | undefined)[]

function placed(table: HTMLTableElement): Line[] {
  const rows = [...table.rows]
  const lines: Line[] = rows.map(() => [])
  rows.forEach((row, y) => {
    let x = 0
    for (const cell of row.cells) {
      // Skips positions covered by a cell that spans several rows or columns.
      while (lines[y] && x in lines[y]) x += 1
      const width = span(cell, 'colSpan', MAX_COLUMNS + 1)
      const height = span(cell, 'rowSpan', rows.length - y)
      for (const line of lines.slice(y, y + height)) for (let dx = 0; dx < width; dx += 1) line[x + dx] = undefined
      if (lines[y]) lines[y][x] = cell
    }
  })
  const width = lines.reduce((most, line) => Math.max(most, line.length), 0)
  return lines.map((line) => Array.from({ length: width }, (_, x) => line[x]))
}

/** Converts a table with too many cells into lines with tab-separated values. */
function asLines(table: HTMLTableElement): void {
  const lines = [...table.rows].map((row) => {
    const line = table.ownerDocument.createElement('p')
    line.textContent = [...row.cells].map((cell) => cell.textContent?.trim() ?? '').join('\t')
    return line
  })
  table.replaceWith(...lines)
}

function flatten(table: HTMLTableElement): void {
  const document = table.ownerDocument
  const grid = placed(table)
  if (grid.length > MAX_ROWS || (grid[0]?.length ?? 0) > MAX_COLUMNS) return asLines(table)
  const body = document.createElement('tbody')
  for (const line of grid) {
    const row = document.createElement('tr')
    for (const cell of line) {
      const plain = document.createElement(cell?.tagName === 'TH' ? 'th' : 'td')
      if (cell) plain.append(...cell.childNodes)
      for (const block of plain.querySelectorAll(BLOCKS_IN_CELLS)) rename(block, 'div')
      row.append(plain)
    }
    body.append(row)
  }
  table.replaceChildren(body)
}

function flattenTables(body: HTMLElement): void {
  for (const table of body.querySelectorAll('table')) {
    const isInside = table.parentElement?.closest('td, th')
    if (!isInside && body.contains(table)) flatten(table)
  }
}

const NO_CONTENT = 'style, script, meta, link, title, xml, template, noscript, head'

/** Removed before parsing, because the content security policy would report every style sheet. */
const STYLE_SHEETS = /<style\b[\s\S]*?<\/style\s*>/gi

const BLOCKS = 'p, h1, h2, h3, h4, h5, h6, ul, ol, table, pre, blockquote, hr, br'

const TASK_SIGN = /^\s*\[([ xX])\]\s+/

/** Google Docs wraps everything in a bold element whose text isn't bold. */
function unwrapGoogle(body: HTMLElement): void {
  for (const wrapper of body.querySelectorAll('b')) {
    // Reads the style as a browser does, because Word also writes weights for other scripts, which have no effect.
    if (wrapper.style.fontWeight === 'normal' || wrapper.id.startsWith('docs-internal-guid')) {
      wrapper.replaceWith(...wrapper.childNodes)
    }
  }
}

/** Underlines inside links come from the link style and aren't formatting. */
function dropLinkLines(body: HTMLElement): void {
  for (const line of body.querySelectorAll<HTMLElement>('a [style*="underline"], a[style*="underline"]')) {
    line.style.textDecoration = ''
  }
  for (const line of body.querySelectorAll('a u')) line.replaceWith(...line.childNodes)
  for (const link of body.querySelectorAll('u > a:only-child')) {
    if (link.parentElement?.textContent === link.textContent) link.parentElement.replaceWith(link)
  }
}

/** Whether a task is completed, in any known format; undefined for items that aren't tasks. */
function stateOf(item: Element): boolean | undefined {
  const box = item.querySelector<HTMLInputElement>(
    ':scope > input[type="checkbox"], :scope > p:first-child > input[type="checkbox"], :scope > label > input[type="checkbox"]',
  )
  if (box) return box.checked
  if (item.getAttribute('role') === 'checkbox') return item.getAttribute('aria-checked') === 'true'
  const typed = TASK_SIGN.exec(firstText(item)?.data ?? '')?.[1]
  return typed === undefined ? undefined : typed !== ' '
}

const firstText = (item: Element): Text | null =>
  item.ownerDocument.createTreeWalker(item, NodeFilter.SHOW_TEXT).nextNode() as Text | null

function markTasks(body: HTMLElement): void {
  for (const list of body.querySelectorAll('ul:not([data-type])')) {
    const items = [...list.children].filter(({ tagName }) => tagName === 'LI')
    const states = items.map(stateOf)
    if (items.length === 0 || states.includes(undefined)) continue
    list.setAttribute('data-type', 'taskList')
    items.forEach((item, at) => {
      item.setAttribute('data-type', 'taskItem')
      item.setAttribute('data-checked', String(states[at]))
      const text = firstText(item)
      if (text) text.data = text.data.replace(TASK_SIGN, '')
    })
  }
}

/** Google Docs represents empty lines as breaks between paragraphs. */
function keepEmptyLines(body: HTMLElement): void {
  for (const empty of body.querySelectorAll(':scope > br')) {
    const beside = [empty.previousSibling, empty.nextSibling]
    if (empty.matches('.Apple-interchange-newline')) empty.remove()
    else if (beside.every((node) => node instanceof HTMLElement && node.matches(BLOCKS))) rename(empty, 'p')
  }
}

function dropEnd(body: HTMLElement): void {
  for (let last = body.lastElementChild; last?.matches('br, p:not(:has(img))'); last = body.lastElementChild) {
    if (last.textContent?.trim() !== '' || last === body.firstElementChild) return
    last.remove()
  }
}

function settleLines(body: HTMLElement): void {
  for (const heading of body.querySelectorAll('h4, h5, h6')) rename(heading, 'h3')
  for (const title of body.querySelectorAll('p.MsoTitle')) rename(title, 'h1')
  for (const filler of body.querySelectorAll('o\\:p')) {
    if (filler.textContent?.trim() === '') filler.remove()
  }
  for (const code of body.querySelectorAll('pre > code:only-child')) {
    if (code.textContent?.endsWith('\n')) code.textContent = code.textContent.slice(0, -1)
  }
}

/**
 * Converts HTML from other programs to HTML that the document schema can parse; only the schema determines what is
 * accepted.
 */
export function cleanPasted(html: string): string {
  if (html.includes('data-pm-slice')) return html
  const { body } = new DOMParser().parseFromString(html.replace(STYLE_SHEETS, ''), 'text/html')
  for (const element of body.querySelectorAll(NO_CONTENT)) element.remove()
  unwrapGoogle(body)
  keepEmptyLines(body)
  rebuildWordLists(body)
  markTasks(body)
  dropLinkLines(body)
  settleLines(body)
  flattenTables(body)
  dropEnd(body)
  return body.innerHTML
}

/** Patterns that rarely occur outside Markdown. */
const STRONG_PATTERNS = [
  /^#{1,6} \S/m,
  /^(?:```|~~~)/m,
  /^\s*[-*+] \[[ xX]\] \S/m,
  /^\|?(?:\s*:?-{3,}:?\s*\|)+\s*(?::?-{3,}:?\s*)?$/m,
  /\[[^\]\n]+\]\((?:https?:|mailto:)[^)\s]+\)/,
  /(?:^|\s)\*\*\S(?:[^*\n]*\S)?\*\*(?=$|[\s.,;:!?)])/m,
]

/** Patterns that also occur in plain text; two matching lines indicate Markdown. */
const WEAK_PATTERNS = /^(?:\s*[-*+] \S|\s*\d{1,6}[.)] \S|> ?\S)/gm

export function looksLikeMarkdown(text: string): boolean {
  return STRONG_PATTERNS.some((sign) => sign.test(text)) || [...text.matchAll(WEAK_PATTERNS)].length >= 2
}
