import { expect, type Locator, type Page } from '@playwright/test'
import { ADA, asProgram, signIn } from './session-page.ts'

/** Creates a collection with a rich text field, and records with these documents. */
export async function textsOf(url: string) {
  const program = await asProgram(url, ADA)
  const fields = [
    { label: 'Title', kind: 'text' },
    { label: 'Story', kind: 'rich-text' },
  ]
  const { items } = (await program.ask('GET', '/api/collections')) as { readonly items: readonly { name: string }[] }
  // Test files share a server, so the collection may already exist.
  const isThere = items.some(({ name }) => name === 'texts')
  if (!isThere) await program.ask('POST', '/api/collections', { label: 'Texts', name: 'texts', fields })
  const path = (id: string) => `/api/collections/texts/records/${id}`
  return {
    ...program,
    make: async (title: string, story: object | null = null) =>
      String((await program.ask('POST', '/api/collections/texts/records', { values: { title, story } }))['id']),
    /** The stored rich text document of a record. */
    storyOf: async (id: string) => {
      // The tests assert the response format.
      const { values } = (await program.ask('GET', path(id))) as { readonly values: { readonly story: unknown } }
      return values.story
    },
  }
}

/** The rich text editor of the field. */
export const story = (page: Page): Locator => page.getByRole('textbox', { name: 'Story' })

export const toolbar = (page: Page): Locator => page.getByRole('toolbar', { name: 'Formatting: Story' })

/** Signs in and opens a record to edit its rich text field. */
export async function openStory(page: Page, id: string): Promise<void> {
  await signIn(page, ADA)
  await goToStory(page, id)
}

/** Opens a record to edit its rich text field, without signing in. */
export async function goToStory(page: Page, id: string): Promise<void> {
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      const before = sessionStorage.getItem('refused') ?? ''
      sessionStorage.setItem('refused', `${before}${violatedDirective} ${blockedURI}\n`)
    })
  })
  await page.goto(`/collections/texts/${id}`)
  await story(page).click()
  // `toBeFocused` doesn't work here: after Tab has left the page, the Firefox window has no focus.
  await expect.poll(() => story(page).evaluate((it) => it === document.activeElement)).toBe(true)
  await caretSettled(page)
}

/**
 * Waits a frame until the editor has updated the caret position; earlier key presses would apply at the old position.
 */
export const caretSettled = (page: Page): Promise<void> =>
  page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(undefined)))),
  )

/** Content security policy violations since the editor was opened. */
export const refusedByPolicy = (page: Page): Promise<string | null> =>
  page.evaluate(() => sessionStorage.getItem('refused'))
