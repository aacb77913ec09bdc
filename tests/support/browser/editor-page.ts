import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Locator, type Page } from '@playwright/test'
import { axeFindings } from './axe-findings.ts'
import { ADA, asProgram, signIn } from './session-page.ts'

/** Where pictures go; only taken when asked for. */
const PICTURES = process.env['DOSSIER_PICTURES']

/** A collection of texts, and records in it that hold the documents they are made with. */
export async function textsOf(url: string) {
  const program = await asProgram(url, ADA)
  const fields = [
    { label: 'Title', kind: 'text' },
    { label: 'Story', kind: 'rich-text' },
  ]
  const { items } = (await program.ask('GET', '/api/collections')) as { readonly items: readonly { name: string }[] }
  // Those of several files share one, and each may be taken alone.
  const isThere = items.some(({ name }) => name === 'texts')
  if (!isThere) await program.ask('POST', '/api/collections', { label: 'Texts', name: 'texts', fields })
  const path = (id: string) => `/api/collections/texts/records/${id}`
  return {
    ...program,
    make: async (title: string, story: object | null = null) =>
      String((await program.ask('POST', '/api/collections/texts/records', { values: { title, story } }))['id']),
    /** What is kept of the story of a record. */
    storyOf: async (id: string) => {
      // What is expected of it is said by each test.
      const { values } = (await program.ask('GET', path(id))) as { readonly values: { readonly story: unknown } }
      return values.story
    },
  }
}

/** The text of the story, while it is written. */
export const story = (page: Page): Locator => page.getByRole('textbox', { name: 'Story' })

/** The toolbar above it. */
export const toolbar = (page: Page): Locator => page.getByRole('toolbar', { name: 'Formatting: Story' })

/** Opens the story of a record, with the caret in it; `violations` gathers what the content policy refuses. */
export async function openStory(page: Page, id: string): Promise<void> {
  await signIn(page, ADA)
  await goToStory(page, id)
}

/** The same for somebody who is signed in. */
export async function goToStory(page: Page, id: string): Promise<void> {
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      const said = sessionStorage.getItem('refused') ?? ''
      sessionStorage.setItem('refused', `${said}${violatedDirective} ${blockedURI}\n`)
    })
  })
  await page.goto(`/collections/texts/${id}`)
  await story(page).click()
  await expect(story(page)).toBeFocused()
  await caretSettled(page)
}

/** The browser tells the editor where the caret went when it next draws: a key pressed sooner would come before that. */
export const caretSettled = (page: Page): Promise<void> =>
  page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(undefined)))),
  )

/** What the content policy has refused since the story was opened. */
export const refusedByPolicy = (page: Page): Promise<string | null> =>
  page.evaluate(() => sessionStorage.getItem('refused'))

/** Judges what is shown in both schemes, on a desk and on a telephone, and takes its pictures when asked. */
export async function look(page: Page, name: string): Promise<void> {
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme })
    for (const width of [1440, 375]) {
      await page.setViewportSize({ width, height: width === 375 ? 812 : 900 })
      // The sidebar goes a moment after its room.
      await caretSettled(page)
      expect(await axeFindings(page), `${name}, ${scheme}, ${width}`).toEqual([])
      if (PICTURES === undefined) continue
      mkdirSync(PICTURES, { recursive: true })
      await page.screenshot({ path: join(PICTURES, `${name}-${scheme}-${width}.png`), animations: 'disabled' })
    }
    await page.setViewportSize({ width: 1440, height: 900 })
  }
  await page.emulateMedia({ colorScheme: 'light' })
}
