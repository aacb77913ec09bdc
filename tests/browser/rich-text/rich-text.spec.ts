import { expect, type Page } from '@playwright/test'
import { test } from '#tests/support/browser/browser-page.ts'
import { goToStory, openStory, refusedByPolicy, story, textsOf, toolbar } from '#tests/support/browser/editor-page.ts'
import { lookAt } from '#tests/support/browser/look-at.ts'
import { WITH_ADA } from '#tests/support/browser/session-page.ts'

test.use({ serverSettings: WITH_ADA })
test.use({ locale: 'en-US', viewport: { width: 1440, height: 900 } })

const press = async (page: Page, ...keys: readonly string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}

test('rich text can be written with all formats', async ({ page, server }) => {
  const texts = await textsOf(server.url)
  const id = await texts.make('Everything')
  await openStory(page, id)

  await test.step('input rules format text at line starts and around words', async () => {
    await page.keyboard.type('# Report of the otters\n')
    await page.keyboard.type('They **play**, *sleep*, ~~work~~ and say `hello`.\n')
    await page.keyboard.type('- one\ntwo\n\n')
    await page.keyboard.type('3. three\nfour\n\n')
    await page.keyboard.type('[x] done\nopen\n\n')
    await page.keyboard.type('> said\n\n')
    await page.keyboard.type('```ts const a = 1\n\n\n')
    await page.keyboard.type('---')
    await page.keyboard.type('After')
    await expect(story(page).locator('h1')).toHaveText('Report of the otters')
    await expect(story(page).locator('strong')).toHaveText('play')
    await expect(story(page).locator('em')).toHaveText('sleep')
    await expect(story(page).locator('s')).toHaveText('work')
    await expect(story(page).locator('p code')).toHaveText('hello')
    await expect(story(page).locator('ul:not([data-type]) > li')).toHaveCount(2)
    await expect(story(page).locator('ol[start="3"] > li')).toHaveCount(2)
    await expect(story(page).locator('li[data-checked="true"]')).toHaveText('done')
    await expect(story(page).locator('li[data-checked="false"]')).toHaveText('open')
    await expect(story(page).locator('blockquote')).toHaveText('said')
    await expect(story(page).locator('pre')).toHaveText('const a = 1')
    await expect(story(page).locator('hr')).toHaveCount(1)
    await lookAt(page, 'everything')
  })

  await test.step('a table is inserted from the slash menu; Tab adds a row at the end and Escape leaves the table', async () => {
    await press(page, 'Enter')
    await page.keyboard.type('/tab')
    await expect(page.getByRole('option', { name: 'Table' })).toHaveAttribute('aria-selected', 'true')
    await lookAt(page, 'slash')
    await press(page, 'Enter')
    await expect(story(page).locator('th')).toHaveCount(3)
    await page.keyboard.type('Name')
    await press(page, 'Tab')
    await page.keyboard.type('Town')
    await press(page, 'Tab')
    await page.keyboard.type('Since')
    for (let at = 0; at < 7; at += 1) await press(page, 'Tab')
    await expect(story(page).locator('tr')).toHaveCount(4)
    await page.keyboard.type('last')
    await press(page, 'Shift+Tab')
    await lookAt(page, 'table')
    await press(page, 'Escape', 'Tab')
    await expect(story(page)).not.toBeFocused()
  })

  await test.step('the text is saved as written, without CSP violations', async () => {
    await expect.poll(async () => JSON.stringify(await texts.storyOf(id))).toContain('"text":"last"')
    expect(await refusedByPolicy(page)).toBeNull()
    const kept = JSON.stringify(await texts.storyOf(id))
    await goToStory(page, id)
    await page.keyboard.press('Control+End')
    expect(JSON.stringify(await texts.storyOf(id))).toBe(kept)
    await expect(toolbar(page)).toBeVisible()
  })
})
