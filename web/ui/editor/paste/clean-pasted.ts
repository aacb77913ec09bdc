import { flattenTables, rename } from './flatten-tables.ts'
import { rebuildWordLists } from './word-lists.ts'

/** What is no content, wherever it stands. */
const NO_CONTENT = 'style, script, meta, link, title, xml, template, noscript, head'

/** Style sheets are taken out before anything is parsed: the content policy would report each of them. */
const STYLE_SHEETS = /<style\b[\s\S]*?<\/style\s*>/gi

/** What stands in lines of its own. */
const BLOCKS = 'p, h1, h2, h3, h4, h5, h6, ul, ol, table, pre, blockquote, hr, br'

const TASK_SIGN = /^\s*\[([ xX])\]\s+/

/** Google Docs puts everything into a bold element that is not bold. */
function unwrapGoogle(body: HTMLElement): void {
  for (const wrapper of body.querySelectorAll('b')) {
    // Read as a browser does: Word writes of the weight in other scripts, which says nothing here.
    if (wrapper.style.fontWeight === 'normal' || wrapper.id.startsWith('docs-internal-guid')) {
      wrapper.replaceWith(...wrapper.childNodes)
    }
  }
}

/** The lines under links are how links look, and not what somebody has underlined. */
function dropLinkLines(body: HTMLElement): void {
  for (const line of body.querySelectorAll<HTMLElement>('a [style*="underline"], a[style*="underline"]')) {
    line.style.textDecoration = ''
  }
  for (const line of body.querySelectorAll('a u')) line.replaceWith(...line.childNodes)
  for (const link of body.querySelectorAll('u > a:only-child')) {
    if (link.parentElement?.textContent === link.textContent) link.parentElement.replaceWith(link)
  }
}

/** Whether an item is a task, and done, in any of the ways programs write that; undefined where it is a plain item. */
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
  // The walker is told to show text only.
  item.ownerDocument.createTreeWalker(item, NodeFilter.SHOW_TEXT).nextNode() as Text | null

/** A list all of whose items are tasks becomes a checklist. */
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

/** Google Docs writes empty lines as breaks between paragraphs. */
function keepEmptyLines(body: HTMLElement): void {
  for (const empty of body.querySelectorAll(':scope > br')) {
    const beside = [empty.previousSibling, empty.nextSibling]
    if (empty.matches('.Apple-interchange-newline')) empty.remove()
    else if (beside.every((node) => node instanceof HTMLElement && node.matches(BLOCKS))) rename(empty, 'p')
  }
}

/** Programs put an empty line or two behind what was copied. */
function dropEnd(body: HTMLElement): void {
  for (let last = body.lastElementChild; last?.matches('br, p:not(:has(img))'); last = body.lastElementChild) {
    if (last.textContent?.trim() !== '' || last === body.firstElementChild) return
    last.remove()
  }
}

/** Headings deeper than ours, Word's title, and the empty lines that Word fills with a space. */
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
 * Text from other programs, in the form in which the document schema can read what it means. The schema alone decides
 * what comes in: this only translates.
 */
export function cleanPasted(html: string): string {
  // What was copied here is in order.
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
