/** How Word tells that a paragraph is an item: the list, its level, and which of the lists of that kind. */
const ITEM = /mso-list:\s*l\d+\s+level(\d+)\s+lfo\d+/i

/** Numbers, letters and Roman numerals with the sign behind them, as Word writes them before an item. */
const NUMBERED = /^\(?(\d+|[a-z]{1,5})[.)]/i

/** Deepest list Word has. */
const DEEPEST = 9

type Item = { readonly element: HTMLElement; readonly level: number; readonly sign: string }

function itemOf(element: Element | null): Item | undefined {
  if (!(element instanceof HTMLElement) || element.tagName !== 'P') return undefined
  const level = Number(ITEM.exec(element.getAttribute('style') ?? '')?.[1])
  if (!(level >= 1 && level <= DEEPEST)) return undefined
  return { element, level, sign: signOf(element)?.textContent?.trim() ?? '' }
}

/** How Word tells that a part only draws a dot or a number; its lines are broken anywhere. */
const SIGN = /mso-list:\s*Ignore/i

const signsIn = (element: Element): Element[] =>
  [...element.querySelectorAll('[style]')].filter((part) => SIGN.test(part.getAttribute('style') ?? ''))

/** The part of a paragraph that only draws its dot or number. */
const signOf = (element: Element): Element | undefined => signsIn(element)[0]

/** An empty list for an item, of its kind and with its number. */
function listFor(document: Document, { sign }: Item): HTMLElement {
  const number = NUMBERED.exec(sign)?.[1]
  if (number === undefined) return document.createElement('ul')
  const list = document.createElement('ol')
  if (/^\d{1,6}$/.test(number)) list.setAttribute('start', number)
  return list
}

/** Lists that are open while items are gone through, the outermost first; each stands at a level. */
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

/** The paragraphs that stand as items one after another, beginning with this one. */
function runFrom(first: Item): Item[] {
  const run = [first]
  for (;;) {
    const next = itemOf(run.at(-1)?.element.nextElementSibling ?? null)
    if (!next || startsNewList(run, next)) return run
    run.push(next)
  }
}

/** At the same level a list with dots does not go on as one with numbers. */
function startsNewList(run: readonly Item[], next: Item): boolean {
  const isNumbered = ({ sign }: Item) => NUMBERED.test(sign)
  const top = run[0]
  return top !== undefined && next.level === top.level && isNumbered(next) !== isNumbered(top)
}

/** Makes lists of the paragraphs that Word only draws as such, as deep as it says. */
export function rebuildWordLists(body: HTMLElement): void {
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
  // Headings with numbers keep their words alone.
  for (const sign of signsIn(body)) sign.remove()
}
