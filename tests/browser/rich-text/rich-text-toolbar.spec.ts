import { expect, type Page } from '@playwright/test'
import { test } from '#tests/support/browser/browser-page.ts'
import { outlineOf } from '#tests/support/documents/document-outline.ts'
import { doc, words } from '#tests/support/documents/documents.ts'
import {
  caretSettled,
  goToStory,
  openStory,
  refusedByPolicy,
  story,
  textsOf,
  toolbar,
} from '#tests/support/browser/editor-page.ts'
import { lookAt } from '#tests/support/browser/look-at.ts'
import { acceptInvitation, signIn, WITH_ADA } from '#tests/support/browser/session-page.ts'

/** Unique, because tests in the same worker share a server. */
const EMMY = { name: 'emmy', email: 'emmy.reads@example.org', password: 'six swifts rehearse the song' }

test.use({ serverSettings: WITH_ADA })
test.use({ locale: 'en-US', viewport: { width: 1440, height: 900 } })
test.setTimeout(180_000)

const press = async (page: Page, ...keys: readonly string[]) => {
  for (const key of keys) await page.keyboard.press(key)
}
const tool = (page: Page, name: string) => toolbar(page).getByRole('button', { name, exact: true })
const bubble = (page: Page) => page.getByRole('toolbar', { name: 'Format selection' })

test('every toolbar button toggles its format for a mixed selection by keyboard', async ({ page, server }) => {
  const texts = await textsOf(server.url)
  const bold = { type: 'paragraph', content: [{ type: 'text', text: 'two', marks: [{ type: 'bold' }] }] }
  const id = await texts.make('Tools', doc(words('one'), bold, words('three')))
  await openStory(page, id)

  await test.step('the toolbar is a single tab stop with arrow-key navigation', async () => {
    await press(page, 'Control+a', 'Shift+Tab')
    // Shift+Tab can't outdent while everything is selected, so it moves focus out of the editor.
    await expect(toolbar(page).locator(':focus')).toHaveCount(1)
    await press(page, 'Home')
    await expect(tool(page, 'Heading 1')).toBeFocused()
    await press(page, 'ArrowRight', 'ArrowRight', 'ArrowRight')
    await expect(tool(page, 'Bold')).toBeFocused()
    await expect(tool(page, 'Bold')).toHaveAttribute('aria-keyshortcuts', 'Control+B')
    await press(page, 'Tab')
    await expect(story(page)).toBeFocused()
  })

  for (const name of [
    'Bold',
    'Italic',
    'Underline',
    'Strikethrough',
    'Code',
    'Heading 2',
    'Bullet list',
    'Numbered list',
  ]) {
    await test.step(name, async () => {
      await press(page, 'Control+a')
      await tool(page, name).click()
      await expect(tool(page, name)).toHaveAttribute('aria-pressed', 'true')
      await tool(page, name).click()
      await expect(tool(page, name)).toHaveAttribute('aria-pressed', 'false')
    })
  }

  await test.step('a checklist item is toggled by keyboard', async () => {
    await press(page, 'Control+a')
    await tool(page, 'Checklist').click()
    await caretSettled(page)
    await story(page).getByText('three').click()
    await caretSettled(page)
    await press(page, 'Control+Enter')
    await expect(story(page).locator('li[data-checked="true"]')).toHaveText('three')
    await story(page).getByRole('checkbox').first().click()
    await expect(story(page).locator('li[data-checked="true"]')).toHaveCount(2)
  })

  await test.step('quote and inline code are applied from the menu, which returns focus to the text', async () => {
    await press(page, 'Control+a')
    await tool(page, 'Clear formatting').click()
    await expect(story(page).locator('ul')).toHaveCount(0)
    await press(page, 'Control+Home')
    await caretSettled(page)
    await tool(page, 'Insert').click()
    await page.getByRole('menuitem', { name: 'Quote' }).click()
    await expect(story(page).locator('blockquote')).toHaveText('one')
    await expect(story(page)).toBeFocused()
    await press(page, 'Control+End')
    await caretSettled(page)
    await tool(page, 'Insert').click()
    await lookAt(page, 'insert')
    await page.getByRole('menuitem', { name: 'Code block' }).click()
    await expect(story(page).locator('pre')).toHaveText('three')
  })

  await test.step('indentation has eight levels', async () => {
    await press(page, 'Control+Home', 'Control+a')
    await tool(page, 'Clear formatting').click()
    await press(page, 'Control+Home')
    for (let at = 0; at < 9; at += 1) await press(page, 'Control+]')
    await expect(story(page).locator('p').first()).toHaveAttribute('data-indent', '8')
  })
  expect(await refusedByPolicy(page)).toBeNull()
})

test('selected text has a floating toolbar, and text can be found and replaced', async ({ page, server }) => {
  const texts = await textsOf(server.url)
  const id = await texts.make('Finding', doc(words('Otters play.'), words('An otter sleeps.'), words('OTTER')))
  await openStory(page, id)

  await test.step('the toolbar appears when the mouse is released', async () => {
    const line = await story(page).locator('p').nth(1).boundingBox()
    if (!line) throw new Error('The line is not drawn.')
    await page.mouse.move(line.x + 2, line.y + line.height / 2)
    await page.mouse.down()
    await page.mouse.move(line.x + 90, line.y + line.height / 2, { steps: 4 })
    await expect(bubble(page)).toHaveCount(0)
    await page.mouse.up()
    await expect(bubble(page)).toBeVisible()
    await page.mouse.move(0, 0)
    await lookAt(page, 'bubble')
    await press(page, 'Alt+F10', 'Enter')
    await expect(story(page).locator('strong')).toHaveCount(1)
    await press(page, 'Control+z')
  })

  await test.step('search ignores or matches case', async () => {
    await story(page).click()
    await press(page, 'Control+Home')
    await caretSettled(page)
    await press(page, 'Control+f')
    await page.keyboard.type('otter')
    const count = page.getByRole('search').getByRole('status')
    await expect(count).toHaveText('1 of 3')
    await press(page, 'Enter')
    await expect(count).toHaveText('2 of 3')
    await expect(story(page).locator('.editor-found-active')).toHaveText('otter')
    await lookAt(page, 'find')
    await press(page, 'Shift+Enter', 'Shift+Enter')
    await expect(count).toHaveText('3 of 3')
    await page.getByRole('button', { name: 'Match case' }).click()
    await expect(count).toHaveText(/^\d of 1$/)
    await page.getByRole('button', { name: 'Match case' }).click()
  })

  await test.step('replace all is one undo step, and Escape returns to the text', async () => {
    await page.getByLabel('Replace with').fill('Heron')
    await page.getByRole('button', { name: 'Replace all' }).click()
    await expect(story(page)).toHaveText('Herons play.An Heron sleeps.Heron')
    await page.getByLabel('Find', { exact: true }).focus()
    await press(page, 'Escape')
    await expect(story(page)).toBeFocused()
    await expect(page.getByRole('search', { name: 'Find and replace' })).toHaveCount(0)
    await press(page, 'Control+z')
    await expect(story(page)).toHaveText('Otters play.An otter sleeps.OTTER')
  })
  expect(await refusedByPolicy(page)).toBeNull()
})

test('Escape leaves the toolbar, links have a toolbar, and undo restores typed text', async ({ page, server }) => {
  const texts = await textsOf(server.url)
  const linked = { type: 'text', text: 'minutes', marks: [{ type: 'link', attrs: { href: 'https://example.org/a' } }] }
  const line = { type: 'paragraph', content: [{ type: 'text', text: 'See ' }, linked, { type: 'text', text: ' here' }] }
  const id = await texts.make('Links', doc(line))
  await openStory(page, id)
  const linkBar = page.getByRole('toolbar', { name: 'Link', exact: true })

  await test.step('Escape in the toolbar returns focus to the text, even in full screen', async () => {
    await press(page, 'Alt+F10')
    await expect(tool(page, 'Heading 1')).toBeFocused()
    await press(page, 'ArrowRight', 'Escape')
    await expect(story(page)).toBeFocused()
    await press(page, 'Control+Shift+f', 'Alt+F10', 'Escape')
    await expect(story(page)).toBeFocused()
    await expect(page.locator('.editor')).toHaveAttribute('data-full', 'true')
    await press(page, 'Escape')
    await expect(page.locator('.editor')).not.toHaveAttribute('data-full')
  })

  await test.step('a link at the caret can be opened, edited and removed', async () => {
    await story(page)
      .getByText('See')
      .click({ position: { x: 2, y: 8 } })
    await caretSettled(page)
    await press(page, 'Control+Home')
    await caretSettled(page)
    await expect(linkBar).toHaveCount(0)
    for (let at = 0; at < 6; at += 1) await press(page, 'ArrowRight')
    await expect(linkBar.getByRole('link', { name: 'Open https://example.org/a' })).toHaveAttribute('target', '_blank')
    await lookAt(page, 'link-bar')
    await press(page, 'Alt+F10', 'ArrowRight', 'Enter')
    await expect(page.getByLabel('URL')).toHaveValue('https://example.org/a')
    await page.keyboard.type('example.org/b')
    await press(page, 'Enter')
    await expect(story(page).locator('a')).toHaveAttribute('href', 'https://example.org/b')
    await linkBar.getByRole('button', { name: 'Remove link' }).click()
    await expect(story(page).locator('a')).toHaveCount(0)
    await expect(linkBar).toHaveCount(0)
    await expect(story(page)).toHaveText('See minutes here')
  })

  await test.step('undoing automatic formatting restores the typed text', async () => {
    await press(page, 'Control+a', 'Delete')
    for (const [typed, formatted] of [
      ['# ', 'h1'],
      ['- ', 'ul'],
      ['1. ', 'ol'],
      ['> ', 'blockquote'],
      ['**bold**', 'strong'],
      ['https://example.org ', 'a'],
    ] as const) {
      await page.keyboard.type(typed)
      await expect(story(page).locator(formatted)).toHaveCount(1)
      await press(page, 'Control+z')
      await expect(story(page).locator(formatted)).toHaveCount(0)
      expect((await story(page).locator('p').textContent())?.replaceAll('\u00a0', ' ')).toBe(typed)
      await press(page, 'Control+y')
      await expect(story(page).locator(formatted)).toHaveCount(1)
      await press(page, 'Control+z', 'Control+a', 'Delete')
    }
  })

  await test.step('Tab in the middle of a list item does not indent', async () => {
    await page.keyboard.type('- one\ntwo')
    await press(page, 'Tab')
    await expect(story(page)).not.toBeFocused()
    await expect(story(page).locator('ul ul')).toHaveCount(0)
    await press(page, 'Shift+Tab')
    await expect(story(page)).toBeFocused()
    await caretSettled(page)
    await press(page, 'Home')
    await caretSettled(page)
    await press(page, 'Tab')
    await expect(story(page).locator('ul ul')).toHaveCount(1)
  })
})

test('full screen is exited with Escape, and the shortcut list opens', async ({ page, server }) => {
  const texts = await textsOf(server.url)
  const id = await texts.make('Window', doc(words('A long story.')))
  await openStory(page, id)

  await test.step('leaving full screen restores the caret position', async () => {
    await press(page, 'Control+End', 'Control+Shift+f')
    await expect(page.locator('.editor')).toHaveAttribute('data-full', 'true')
    await expect(page.locator('[inert]').getByRole('button', { name: 'Search' })).toHaveCount(1)
    await page.keyboard.type(' Go on.')
    await expect(story(page)).toHaveText('A long story. Go on.')
    const box = await page.locator('.editor').boundingBox()
    expect(box).toEqual({ x: 0, y: 0, width: 1440, height: 900 })
    await expect(page.locator('.save-status').getByText('Saved')).toBeInViewport()
    await lookAt(page, 'full-screen')
    for (let at = 0; at < 6; at += 1) await press(page, 'Tab')
    await expect(page.locator('.shell-side :focus, .shell-head :focus, .record-bar :focus')).toHaveCount(0)
    await story(page).focus()
    await press(page, 'Escape')
    await expect(story(page)).toBeFocused()
    expect((await page.locator('.editor').boundingBox())?.width).toBeLessThan(1000)
    expect(await page.locator('[inert]').count()).toBe(0)
  })

  await test.step('in a long text, the toolbar remains visible', async () => {
    await press(page, 'Control+End')
    for (let at = 0; at < 40; at += 1) await press(page, 'Enter')
    await expect(page.getByRole('toolbar')).toBeInViewport({ ratio: 1 })
    await press(page, 'Control+Home')
    await expect(page.getByRole('toolbar')).toBeInViewport({ ratio: 1 })
    for (let at = 0; at < 2; at += 1) await press(page, 'Control+z')
  })

  await test.step('the shortcut list opens by keyboard in the editor', async () => {
    await press(page, 'Control+/')
    await expect(page.getByRole('dialog', { name: 'Editor shortcuts' })).toBeVisible()
    await lookAt(page, 'keys')
    await press(page, 'Escape')
    await expect(story(page)).toBeFocused()
  })

  await test.step('on a phone, no toolbar button is cut off, and less common ones are in the menu', async () => {
    await page.setViewportSize({ width: 375, height: 812 })
    await expect(tool(page, 'Heading 1')).toHaveCount(0)
    expect(await toolbar(page).evaluate((bar) => bar.scrollWidth <= bar.clientWidth)).toBe(true)
    await tool(page, 'More tools').click()
    await expect(page.getByRole('menuitem', { name: 'Heading 1' })).toBeVisible()
    await lookAt(page, 'more')
    await page.setViewportSize({ width: 375, height: 812 })
    await page.getByRole('menuitem', { name: 'Heading 1' }).click()
    await expect(story(page).locator('h1')).toHaveCount(1)
    await expect(story(page)).toBeFocused()
  })
  expect(await refusedByPolicy(page)).toBeNull()
})

test('undo combines changes within a second, and keeps up to a hundred steps', async ({ page, server }) => {
  const texts = await textsOf(server.url)
  await openStory(page, await texts.make('Undo'))
  const start = Date.now()
  const typeAt = async (ms: number, text: string) => {
    await page.clock.setFixedTime(start + ms)
    await page.keyboard.type(text)
  }

  await test.step('changes within a second of the first change are one undo step', async () => {
    await typeAt(0, 'a')
    await typeAt(900, 'b')
    await typeAt(1100, 'c')
    await press(page, 'Control+z')
    await expect(story(page)).toHaveText('ab')
    await press(page, 'Control+z')
    await expect(story(page)).toHaveText('')
    await press(page, 'Control+Shift+z', 'Control+y')
    await expect(story(page)).toHaveText('abc')
  })

  await test.step('the redo keys do nothing if there is nothing to redo', async () => {
    for (const keys of ['Control+Shift+z', 'Control+Shift+Z', 'Control+y']) {
      await press(page, keys)
      await expect(story(page), keys).toHaveText('abc')
    }
  })

  await test.step('automatic formatting is a separate undo step', async () => {
    await typeAt(10_000, '\n- x')
    await expect(story(page).locator('li')).toHaveText('x')
    await press(page, 'Control+z', 'Control+z')
    await expect(story(page).locator('li')).toHaveCount(0)
    await expect(story(page).locator('p').nth(1)).toHaveText('-')
  })

  await test.step('a hundred steps can be undone', async () => {
    await press(page, 'Control+a', 'Delete')
    for (let at = 0; at < 120; at += 1) await typeAt(20_000 + at * 2000, 'x')
    for (let at = 0; at < 130; at += 1) await press(page, 'Control+z')
    await expect(story(page)).toHaveText('x'.repeat(20))
  })
})

test('a read-only user sees the text without loading the editor', async ({ page, server }) => {
  const texts = await textsOf(server.url)
  const task = { type: 'taskItem', attrs: { checked: true }, content: [words('Call the keeper')] }
  const cell = (type: string, text: string) => ({ type, content: [words(text)] })
  const rows = ['tableHeader', 'tableCell'].map((type) => ({
    type: 'tableRow',
    content: [cell(type, 'Otter'), cell(type, 'Bath')],
  }))
  const id = await texts.make(
    'Reading',
    doc(
      { type: 'heading', attrs: { level: 1 }, content: [{ type: 'text', text: 'Report' }] },
      { type: 'taskList', content: [task] },
      { type: 'blockquote', content: [words('They play.')] },
      { type: 'codeBlock', attrs: { language: 'ts' }, content: [{ type: 'text', text: 'const otters = 2' }] },
      { type: 'table', content: rows },
    ),
  )
  const policy = await texts.ask('POST', '/api/policies', {
    name: 'Reports alone',
    grants: [{ permission: 'records:read', collection: null }],
  })
  const role = await texts.ask('POST', '/api/roles', { name: 'Reader of reports', policies: [policy['id']] })
  await acceptInvitation(texts.ask, EMMY, String(role['id']))

  const scripts: string[] = []
  page.on('request', (request) => void scripts.push(new URL(request.url()).pathname))
  await signIn(page, EMMY)
  await page.goto(`/collections/texts/${id}`)
  await expect(page.getByRole('group', { name: 'Story' }).locator('h1')).toHaveText('Report')
  await expect(page.getByRole('img', { name: 'Done' })).toBeVisible()
  await page.waitForLoadState('networkidle')
  // The editor's list of shortcuts may be loaded, because the shortcuts dialog shows it to every user.
  expect(
    scripts.filter((path) => /\/editor-(?!key-list)|tiptap|markdown-html/.test(path) && path.endsWith('.js')),
  ).toEqual([])
  await lookAt(page, 'reader')
})

test('the editor loads without layout shift', async ({ page, server }) => {
  const texts = await textsOf(server.url)
  const id = await texts.make('Coming', doc(words('One line.'), words('Another.')))
  await openStory(page, id)
  let letCome = (): void => undefined
  const isWaiting = new Promise<void>((resolve) => {
    letCome = resolve
  })
  await page.route(/\/assets\/editor-[^/]*\.js/, async (route) => {
    await isWaiting
    await route.continue()
  })
  await page.reload()
  const text = page.getByText('Another.')
  await expect(text).toBeVisible()
  const before = await text.boundingBox()
  letCome()
  await expect(story(page)).toBeVisible()
  expect(await text.boundingBox()).toEqual(before)
  expect(outlineOf(await texts.storyOf(id))).toBe('paragraph: One line.\nparagraph: Another.')
  await goToStory(page, id)
})
