import { expect } from '@playwright/test'
import { axeFindings } from '#tests/support/browser/axe-findings.ts'
import { test } from '#tests/support/browser/browser-page.ts'
import { ADA, asProgram, signIn, WITH_ADA } from '#tests/support/browser/session-page.ts'

test.use({ serverSettings: WITH_ADA })

async function makePapers(url: string): Promise<void> {
  const { ask } = await asProgram(url, ADA)
  const choices = ['Draft', 'In review', 'Final'].map((name) => ({ name }))
  const fields = [
    { label: 'Title', kind: 'text' },
    { label: 'Reviewer', kind: 'text' },
    { label: 'Pages', kind: 'number' },
    { label: 'State', kind: 'state', options: { choices } },
  ]
  await ask('POST', '/api/collections', { label: 'Papers', fields })
  for (const title of ['On otters', 'On owls', 'On oaks']) {
    const reviewer = title === 'On otters' ? null : 'Ben'
    await ask('POST', '/api/collections/papers/records', { values: { title, reviewer } })
  }
}

test('an owner sets up a workflow, and records follow it', async ({ page, server }) => {
  await makePapers(server.url)
  await signIn(page, ADA)

  const section = page.getByRole('region', { name: 'Workflow' })
  const status = page.getByRole('group', { name: 'State' })
  await test.step('a new workflow starts with a transition between consecutive statuses', async () => {
    await page.goto('/collections/papers/settings')
    await section.getByRole('button', { name: 'Turn on' }).click()
    await expect(section.getByRole('list', { name: 'Transitions' }).getByRole('listitem')).toHaveCount(2)
  })

  await test.step('a transition gets a name and a note; a status gets required and locked fields', async () => {
    await section.getByRole('button', { name: 'Edit transition “Final”' }).click()
    const move = page.getByRole('dialog', { name: 'Edit transition' })
    await move.getByLabel('Name').fill('Publish')
    await move.getByLabel('Comment').click()
    await page.getByRole('option', { name: 'Required comment' }).click()
    expect(await axeFindings(page)).toEqual([])
    await move.getByRole('button', { name: 'Save transition' }).click()
    await expect(section.getByText('Publish')).toBeVisible()

    await section.getByRole('button', { name: /^Draft/ }).click()
    const draft = page.getByRole('dialog', { name: 'In status “Draft”' })
    await draft.getByLabel('Required before leaving this status').click()
    await page.getByRole('option', { name: 'Reviewer' }).click()
    await draft.getByRole('button', { name: 'Save' }).click()
    await expect(section.getByText('requires Reviewer')).toBeVisible()

    await section.getByRole('button', { name: /^Final/ }).click()
    const final = page.getByRole('dialog', { name: 'In status “Final”' })
    await final.getByRole('switch', { name: 'Lock record' }).check()
    await final.getByRole('button', { name: 'Save' }).click()
    await expect(section.getByText('record locked')).toBeVisible()
  })

  await test.step('a record requires the fields of its status and shows where they are', async () => {
    await page.goto('/collections/papers')
    await page.getByRole('link', { name: 'On otters' }).click()
    await page.getByRole('link', { name: 'Open full page' }).click()
    await expect(page.getByRole('grid')).toHaveCount(0)
    await expect(status.getByText('Fill in Reviewer first')).toBeVisible()
    await status.getByRole('button', { name: 'In review' }).click()
    await expect(page.getByLabel('Reviewer')).toBeFocused()
    await page.getByLabel('Reviewer').fill('Ana')
    await status.getByRole('button', { name: 'In review' }).click()
    await expect(status.getByRole('button', { name: 'Publish' })).toBeVisible()
  })

  await test.step('a transition without a reverse transition can be undone, and one toast describes the last transition', async () => {
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(page.getByText('Status change undone')).toBeVisible()
    await status.getByRole('button', { name: 'In review' }).click()
    await expect(page.getByText('Status changed to In review')).toBeVisible()
    await expect(page.getByText('Status change undone')).toBeHidden()
  })

  await test.step('on a phone, transition buttons are large enough to tap', async () => {
    await page.setViewportSize({ width: 375, height: 800 })
    const box = await status.getByRole('button', { name: 'Publish' }).boundingBox()
    expect(box?.height).toBeGreaterThanOrEqual(44)
    expect(await axeFindings(page)).toEqual([])
    await page.setViewportSize({ width: 1280, height: 720 })
  })

  await test.step("a transition asks for its note, and locked fields can't be edited", async () => {
    await status.getByRole('button', { name: 'Publish' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Publish' })
    await expect(dialog.getByRole('button', { name: 'Publish' })).toBeDisabled()
    await dialog.getByLabel('Comment').fill('Good work')
    expect(await axeFindings(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Publish' }).click()
    await expect(status.getByText('Final')).toBeVisible()
    await expect(status.getByText('Good work')).toBeVisible()
    await expect(status.getByRole('button')).toHaveCount(0)
    await expect(page.getByLabel('Reviewer')).not.toBeEditable()
    await expect(page.getByLabel('Title')).not.toBeEditable()
  })

  await test.step('the status history shows who changed the status, its old and new value, and why', async () => {
    const history = page.getByRole('region', { name: 'History' }).getByRole('listitem')
    await page.getByRole('button', { name: 'Show history' }).click()
    await expect(history.first()).toContainText(/ada.*Good work.*In review.*Final/s)
    await expect(history.filter({ hasText: /Draft.*In review/s })).not.toHaveCount(0)
    await expect(history.last()).toContainText(/ada.*created this record/s)
    await expect(page.getByText(/^Updated .* by you$/)).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    expect(await axeFindings(page)).toEqual([])
  })

  await test.step('“Created by” is an optional column that can be filtered by user', async () => {
    await page.goto('/collections/papers')
    await expect(page.getByRole('columnheader', { name: 'Created by' })).toHaveCount(0)
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('checkbox', { name: 'Created by' }).check()
    await page.keyboard.press('Escape')
    const names = page.getByRole('gridcell', { name: 'ada', exact: true })
    await expect(names).toHaveCount(3)
    await names.first().click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Not ada' }).click()
    await expect(names).toHaveCount(0)
  })

  await test.step('the audit log lists changes to the definition', async () => {
    await page.goto('/settings/audit?group=collections')
    const entries = page.locator('.audit-entry')
    await expect(entries.filter({ hasText: 'Transition “Publish”: changed' }).first()).toBeVisible()
    await expect(entries.filter({ hasText: 'Field “Reviewer”: none → text' }).first()).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
  })

  await test.step('selected records change status if their transitions allow it', async () => {
    await page.goto('/collections/papers')
    await page.getByRole('checkbox', { name: 'Select all records on this page' }).check()
    await page.getByRole('button', { name: 'Change status', exact: true }).click()
    await page.getByRole('menuitem', { name: 'In review' }).click()
    await expect(page.getByText('1 record can’t be moved there from the current status.')).toBeVisible()
    await expect(page.getByRole('gridcell', { name: 'In review' })).toHaveCount(2)
  })
})
