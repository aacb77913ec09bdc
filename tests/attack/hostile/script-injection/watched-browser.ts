import { type BrowserContext, chromium, type Page, type Request } from '@playwright/test'
import { CHROMIUM_FLAGS, findChromium } from '#tests/support/browser/chromium.ts'
import { OWNER } from '#tests/attack/environments.ts'
import type { Marks } from './marks.ts'

export type WatchedBrowser = {
  readonly page: Page
  readonly context: BrowserContext
  readonly marks: Marks
  /** Opens another watched browser context, without a session. */
  readonly enter: () => Promise<BrowserContext>
  readonly look: (page: Page) => Promise<void>
  /** Reports something that must not be on a page. */
  readonly tell: (page: Page, what: string) => void
  readonly findings: () => readonly string[]
  readonly unanswered: () => readonly string[]
  readonly close: () => Promise<void>
}

/** Makes all hosts except the server unreachable. */
const NO_NETWORK = '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE localhost'

const LOOK = { viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce', locale: 'en-US' } as const

/** Opens the browser, signed in to the server at a URL. */
export async function openWatchedBrowser(url: string, marks: Marks): Promise<WatchedBrowser> {
  const found = findChromium()
  const browser = await chromium.launch({
    args: [...CHROMIUM_FLAGS, NO_NETWORK],
    ...(found && { executablePath: found.executablePath, env: { ...process.env, ...found.env } }),
  })
  const findings = new Set<string>()
  const tell = (page: Page | null, what: string): void => void findings.add(`${placeOf(page, url)}: ${what}`)
  const enter = async (): Promise<BrowserContext> => {
    const entered = await browser.newContext({ ...LOOK, baseURL: url })
    await watch(entered, { marks, tell, isOwn: (page) => isOwnPage(page, url) })
    return entered
  }
  const context = await enter()
  const open = watchRequests(context)
  const page = await context.newPage()
  await signIn(page)
  const look: WatchedBrowser['look'] = async (looked) => {
    const { shown, faults } = await looked.evaluate(lookAround)
    marks.see(shown)
    for (const fault of faults) tell(looked, fault)
  }
  const unseen = await blindness({ page, look, findings: () => [...findings] })
  findings.clear()
  unseen.forEach((one) => findings.add(one))
  return {
    page,
    context,
    marks,
    enter,
    look,
    tell,
    findings: () => [...findings],
    unanswered: () => [...open].map((request) => `${request.method()} ${request.url()}`),
    close: () => browser.close(),
  }
}

function watchRequests(context: BrowserContext): ReadonlySet<Request> {
  const open = new Set<Request>()
  context.on('request', (request) => open.add(request))
  context.on('requestfinished', (request) => open.delete(request))
  context.on('requestfailed', (request) => open.delete(request))
  return open
}

type Watch = {
  readonly marks: Marks
  readonly tell: (page: Page | null, what: string) => void
  /** Whether the page belongs to the app; failed requests from an opened file are ignored. */
  readonly isOwn: (page: Page | null) => boolean
}

async function watch(context: BrowserContext, { marks, tell, isOwn }: Watch): Promise<void> {
  await context.exposeBinding('pwned', ({ page }, mark) => tell(page, `ran ${marks.describe(Number(mark))}`))
  await context.exposeBinding('tellOfPolicy', ({ page }, what) => {
    if (isOwn(page)) tell(page, `the content policy refused ${what}`)
  })
  await context.addInitScript(() => {
    // Skips sandboxed files and empty frames.
    if (globalThis.origin === 'null') return
    localStorage.setItem('dossier.tours', 'off')
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sample }) =>
      Reflect.get(globalThis, 'tellOfPolicy')(`${violatedDirective} ${blockedURI} ${sample}`),
    )
  })
  context.on('dialog', (dialog) => {
    tell(dialog.page(), `a dialog opened: ${dialog.message()}`)
    void dialog.dismiss()
  })
  context.on('request', (request) => {
    const mark = /pwned\.test\/(\d+)/.exec(request.url())?.[1]
    if (mark !== undefined)
      tell(request.serviceWorker() ? null : request.frame().page(), `loaded ${marks.describe(Number(mark))}`)
  })
  context.on('console', (message) => {
    const isRefusal = message.text().includes('Content Security Policy')
    if (isRefusal && isOwn(message.page())) tell(message.page(), message.text())
  })
  context.on('weberror', (error) => tell(error.page(), `uncaught ${error.error().message}`))
}

const pathOf = (page: Page | null, url: string): string =>
  page === null || !page.url().startsWith(url) ? (page?.url() ?? 'nowhere') : page.url().slice(url.length)

const placeOf = (page: Page | null, url: string): string => pathOf(page, url).slice(0, 120)

const isOwnPage = (page: Page | null, url: string): boolean => {
  const path = pathOf(page, url)
  return path.startsWith('/') && (!path.startsWith('/api/') || path.startsWith('/api/docs'))
}

async function signIn(page: Page): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('Email').fill(OWNER.email)
  await page.getByLabel('Password', { exact: true }).fill(OWNER.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('button', { name: /account of/ }).waitFor()
}

/** Attacks that must be detected on an unprotected page; otherwise a run without findings would prove nothing. */
const SEEN = ['ran ', 'a dialog opened', 'the content policy refused', 'it has onerror', 'it leads to', 'uncaught']
const SEEN_WITHIN_MS = 10_000

/** Executes attacks on purpose, and returns those that were not detected. */
async function blindness({ page, look, findings }: Pick<WatchedBrowser, 'page' | 'look' | 'findings'>) {
  await page.evaluate(() => {
    document.body.insertAdjacentHTML('beforeend', '<p id=harm><img src=x onerror=x><a href=" JavaScript:x">x</a></p>')
    setTimeout(() => Reflect.get(globalThis, 'pwned')(0))
    setTimeout(() => Reflect.get(globalThis, 'nothing')())
    setTimeout(() => alert('x'))
  })
  await look(page)
  const unseen = () => SEEN.filter((what) => !findings().some((finding) => finding.includes(`: ${what}`)))
  const requestedAt = performance.now()
  while (unseen().length > 0 && performance.now() - requestedAt < SEEN_WITHIN_MS) await page.evaluate('1')
  await page.reload()
  return unseen().map((what) => `the browser does not report when ${what}`)
}

function lookAround(): { readonly shown: string; readonly faults: readonly string[] } {
  const faults: string[] = []
  const words: string[] = []
  const RUNS = /^[\s\p{Cc}]*(?:javascript|vbscript|data:text|data:image\/svg)/iu
  const LEADS = new Set([
    'href',
    'xlink:href',
    'src',
    'action',
    'formaction',
    'data',
    'poster',
    'srcset',
    'to',
    'values',
  ])
  const NEVER = 'base, object, embed, applet, portal, frame, meta[http-equiv], script:not([src]), iframe:not([src])'
  const isOurs = (address: string): boolean => new URL(address, location.href).origin === location.origin
  /** The URL that an element loads, runs or frames. */
  const loadedBy = (element: Element): string =>
    (element.matches('script, link, iframe') && (element.getAttribute('src') ?? element.getAttribute('href'))) || ''
  const checker = (element: Element): void => {
    const tell = (what: string) => faults.push(`${what}: ${element.outerHTML.slice(0, 200)}`)
    for (const { name, value } of element.attributes) {
      words.push(value)
      if (name.startsWith('on') || name === 'srcdoc') tell(`it has ${name}`)
      if (LEADS.has(name) && RUNS.test(value)) tell(`it leads to ${value}`)
    }
    if (element.matches(NEVER) || !isOurs(loadedBy(element))) tell('there is')
    if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) words.push(element.value)
  }
  const walk = (root: ParentNode): void => {
    for (const element of root.querySelectorAll('*')) {
      checker(element)
      if (element.shadowRoot) walk(element.shadowRoot)
      if (element instanceof HTMLTemplateElement) walk(element.content)
    }
  }
  walk(document)
  return { shown: [document.documentElement.textContent, ...words].join('\n'), faults }
}
