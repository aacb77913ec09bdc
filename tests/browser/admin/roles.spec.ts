import { expect, type Page } from '@playwright/test'
import { axeFindings } from '#tests/support/browser/axe-findings.ts'
import { test } from '#tests/support/browser/browser-page.ts'
import { ADA, asProgram, acceptInvitation, type Person, signIn, WITH_ADA } from '#tests/support/browser/session-page.ts'

test.use({ serverSettings: WITH_ADA })

const ANA = { name: 'Ana', email: 'ana@example.org', password: 'eleven storks count the stars' }
const BEA = { name: 'Bea', email: 'bea@example.org', password: 'eleven storks count the boats' }

/** Creates two users (Ana, a clerk, and Bea, who can't see salaries) and a collection with records for Ana and Ada. */
async function makePeople(url: string): Promise<void> {
  const owner = await asProgram(url, ADA)
  const fields = [
    { label: 'Name', kind: 'text' },
    { label: 'Salary', kind: 'number' },
  ]
  await owner.ask('POST', '/api/collections', { label: 'Staff', fields })
  const grants = ['read', 'create', 'update'].map((verb) => ({ permission: `records:${verb}`, collection: null }))
  const policy = await owner.ask('POST', '/api/policies', { name: 'Daily work', grants })
  const role = await owner.ask('POST', '/api/roles', { name: 'Clerk', policies: [policy['id']] })
  await acceptInvitation(owner.ask, ANA, String(role['id']))
  await owner.ask('POST', '/api/collections/staff/records', { values: { name: 'Of Ada', salary: 100 } })
  const ana = await asProgram(url, ANA)
  await ana.ask('POST', '/api/collections/staff/records', { values: { name: 'Of Ana', salary: 200 } })
  const blind = { permission: 'records:read', collection: 'staff', fields: { except: ['salary'] } }
  const names = await owner.ask('POST', '/api/policies', { name: 'Names alone', grants: [blind] })
  const reader = await owner.ask('POST', '/api/roles', { name: 'Reader', policies: [names['id']] })
  await acceptInvitation(owner.ask, BEA, String(reader['id']))
}

let office: Promise<void> | undefined
// Runs once per server, even if a single test is run.
test.beforeEach(({ server }) => (office ??= makePeople(server.url)))

const namesSeenBy = async (url: string, person: Person): Promise<readonly string[]> => {
  const { ask } = await asProgram(url, person)
  const { items } = (await ask('GET', '/api/collections/staff/records')) as {
    items: { readonly values: { readonly name: string } }[]
  }
  return items.map(({ values }) => values.name)
}

function countedActions() {
  let count = 0
  return {
    act: async (action: Promise<unknown>) => {
      count += 1
      await action
    },
    count: () => count,
  }
}

const cell = (page: Page, name: string) => page.getByRole('button', { name, exact: false })

test('limiting a user to their own records takes at most four screen actions', async ({ page, server }) => {
  expect(await namesSeenBy(server.url, ANA)).toEqual(['Of Ada', 'Of Ana'])
  await signIn(page, ADA)
  await page.goto('/settings/workspace')

  const { act, count } = countedActions()
  await act(page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Roles' }).click())
  await act(page.getByRole('list', { name: 'Roles' }).getByRole('link', { name: 'Clerk' }).click())
  await act(cell(page, 'View, All collections: all').click())
  await act(page.getByRole('menuitem', { name: 'Own records' }).click())
  await expect(page.getByText('Saved: View · All collections')).toBeVisible()
  expect(count()).toBeLessThanOrEqual(4)
  expect(await namesSeenBy(server.url, ANA)).toEqual(['Of Ana'])

  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(cell(page, 'View, All collections: all')).toBeVisible()
  expect(await namesSeenBy(server.url, ANA)).toEqual(['Of Ada', 'Of Ana'])
})

test('a role for three collections takes at most eight clicks; its rows and the role itself can be copied @full', async ({
  page,
  server,
}) => {
  const owner = await asProgram(server.url, ADA)
  const fields = [
    { label: 'Title', kind: 'text' },
    { label: 'Inspector', kind: 'user' },
  ]
  for (const label of ['Sites', 'Inspections', 'Measures'])
    await owner.ask('POST', '/api/collections', { label, fields })
  await signIn(page, ADA)
  await page.goto('/settings/roles')
  const toasts = page.getByRole('status').filter({ hasText: /^Saved: / })
  const { act, count } = countedActions()
  const row = (name: string) => act(page.getByRole('button', { name: `Permissions of ${name}` }).click())
  const choose = (name: string) => act(page.getByRole('menuitem', { name, exact: true }).click())

  await test.step('a permission row is set in two clicks, even when limited to records where a field is the current user', async () => {
    await act(page.getByRole('button', { name: 'New role' }).click())
    await page.getByLabel('Name').fill('Inspector')
    await act(page.getByRole('button', { name: 'Create role' }).click())
    await row('Sites')
    expect(await axeFindings(page)).toEqual([])
    await choose('View only')
    await expect(cell(page, 'View, Sites: all')).toBeVisible()
    await row('Inspections')
    await choose('Edit records where Inspector is the user')
    await expect(cell(page, 'Edit, Inspections: only where Inspector is the current user')).toBeVisible()
    await row('Measures')
    await choose('Create and edit')
    await expect(cell(page, 'Create, Measures: all')).toBeVisible()
    expect(count()).toBeLessThanOrEqual(8)
  })

  await test.step('a single toast describes the last change and can undo it', async () => {
    await expect(toasts).toHaveText([/^Saved: Measures/])
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(cell(page, 'Create, Measures: no')).toBeVisible()
  })

  await test.step('one more click limits a permission cell to records where a field is the current user', async () => {
    await cell(page, 'View, Measures: no').click()
    await page.getByRole('menuitem', { name: 'Records where Inspector is the user' }).click()
    await expect(cell(page, 'View, Measures: only where Inspector is the current user')).toBeVisible()
  })

  await test.step('a permission row is copied by field name, and permissions without a match are listed', async () => {
    await page.getByRole('button', { name: 'Permissions of Inspections' }).click()
    await page.getByRole('menuitem', { name: 'Copy to other collections' }).click()
    const dialog = page.getByRole('dialog', { name: 'Copy permissions of Inspections' })
    await dialog.getByRole('checkbox', { name: 'Measures' }).check()
    await dialog.getByRole('checkbox', { name: 'Staff' }).check()
    expect(await axeFindings(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Copy' }).click()
    await expect(page.getByText('Permissions copied to 2 collections')).toBeVisible()
    await expect(page.getByText(/^Not copied because .* View · Staff, /)).toBeVisible()
    await expect(cell(page, 'Edit, Measures: only where Inspector is the current user')).toBeVisible()
    await expect(cell(page, 'Edit, Staff: no')).toBeVisible()
  })

  await test.step("changes to a copied role don't affect the original", async () => {
    await page.getByRole('button', { name: 'More actions for this role' }).click()
    await page.getByRole('menuitem', { name: 'Duplicate' }).click()
    const dialog = page.getByRole('dialog', { name: 'Duplicate role' })
    await expect(dialog.getByLabel('Name')).toHaveValue('Inspector copy')
    await dialog.getByRole('button', { name: 'Create role' }).click()
    await expect(page.getByRole('heading', { name: 'Inspector copy' })).toBeVisible()
    await cell(page, 'View, Sites: all').click()
    await page.getByRole('menuitem', { name: 'None', exact: true }).click()
    await expect(cell(page, 'View, Sites: no')).toBeVisible()
    await page.goto('/settings/roles')
    await page.getByRole('list', { name: 'Roles' }).getByRole('link', { name: 'Inspector', exact: true }).click()
    await expect(cell(page, 'View, Sites: all')).toBeVisible()
  })
})

test('an owner hides a field, adds an example and sees which change would break it', async ({ page }) => {
  await signIn(page, ADA)
  const panel = page.getByRole('dialog', { name: 'View · Staff' })

  await test.step('a collection overrides the defaults of a role', async () => {
    await page.goto('/settings/roles')
    await page.getByRole('list', { name: 'Roles' }).getByRole('link', { name: 'Clerk' }).click()
    await expect(page.getByRole('heading', { name: 'Clerk' })).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
    await cell(page, 'View, Staff: all').press('Enter')
    await expect(page.getByRole('menuitem', { name: 'All' })).toHaveAttribute('aria-current', 'true')
    expect(await axeFindings(page)).toEqual([])
    await page.getByRole('menuitem', { name: 'Edit details' }).press('Enter')
    await expect(panel.getByText('Clerk can view Staff')).toBeVisible()
    await panel.getByRole('radio', { name: /^All except selected/ }).check()
    await panel.getByRole('group', { name: 'Excluded fields' }).getByRole('checkbox', { name: 'Salary' }).check()
    expect(await axeFindings(page)).toEqual([])
    await expect(panel.getByText('After this change, hidden values can be inferred')).toBeVisible()
    await panel.getByRole('button', { name: 'Save' }).click()
    await expect(cell(page, 'View, Staff: without Salary')).toBeVisible()
    await expect(page.getByText('When and how often hidden values change in a record.')).toBeVisible()
    await expect(cell(page, 'View, All collections: no')).toBeVisible()
  })

  await test.step('an example is evaluated as it is typed, and can be saved', async () => {
    await page.getByRole('link', { name: 'Daily work' }).click()
    await page.getByRole('button', { name: 'Add example' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add example' })
    await dialog.getByLabel('Who').fill('Ana')
    await page.getByRole('option', { name: 'Ana' }).click()
    await dialog.getByLabel('Where').click()
    await page.getByRole('option', { name: 'Staff' }).click()
    await expect(dialog.getByText('Currently failing.')).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Add example' })).toBeDisabled()
    await dialog.getByLabel('Which field').click()
    await page.getByRole('option', { name: 'Salary' }).click()
    await expect(dialog.getByText('Currently passing.')).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Add example' }).click()
    const example = page.getByRole('list', { name: 'Examples' }).getByRole('listitem')
    await expect(example).toContainText('Ana cannot view Salary in Staff')
    await expect(example.getByRole('img', { name: 'Passing' })).toBeVisible()
  })

  await test.step('a change that breaks an example is rejected, and the example is named', async () => {
    await cell(page, 'View, Staff: without Salary').click()
    await page.getByRole('menuitem', { name: 'Edit details' }).click()
    await panel.getByRole('radio', { name: 'All', exact: true }).last().check()
    await panel.getByRole('button', { name: 'Save' }).click()
    await expect(panel.getByRole('alert')).toContainText('Ana cannot view Salary in Staff')
    await panel.getByRole('button', { name: 'Cancel' }).click()
    await expect(cell(page, 'View, Staff: without Salary')).toBeVisible()
  })

  await test.step('“Explain access” shows the reason and links to the deciding permission cell', async () => {
    await page.goto('/settings/users')
    await page.getByRole('button', { name: 'Check access' }).click()
    const drawer = page.getByRole('dialog', { name: 'Check access' })
    await drawer.getByLabel('Who').fill('Ana')
    await page.getByRole('option', { name: 'Ana' }).click()
    await drawer.getByLabel('Where').click()
    await page.getByRole('option', { name: 'Staff' }).click()
    await expect(drawer.getByRole('status')).toContainText('Yes')
    await drawer.getByLabel('Which field').click()
    await page.getByRole('option', { name: 'Salary' }).click()
    await expect(drawer.getByRole('status')).toContainText('but not for this field')
    expect(await axeFindings(page)).toEqual([])
    await drawer.getByRole('link', { name: /Daily work/ }).click()
    await expect(page.getByRole('dialog', { name: 'View · Staff' })).toBeVisible()
  })

  await test.step("the collection's settings show the same permissions for every role", async () => {
    await page.goto('/collections/staff/settings')
    await expect(cell(page, 'View, Clerk: without Salary')).toBeVisible()
    await expect(cell(page, 'View, Viewer: all')).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
  })
})

test("a user manager views the app as another user and can't change anything", async ({ page }) => {
  const bar = page.getByRole('region', { name: 'Viewing as another user' })
  await signIn(page, ADA)
  await test.step("impersonation starts on the users page and shows the user's view", async () => {
    await page.goto('/settings/users')
    await page.getByRole('button', { name: 'Actions for Bea' }).click()
    await page.getByRole('menuitem', { name: 'View as this user' }).click()
    await expect(bar).toContainText('Viewing as Bea. Read-only.')
    await expect(page.getByRole('link', { name: 'Settings' })).toHaveCount(0)
    await page.getByRole('link', { name: 'Staff' }).first().click()
    await expect(page.getByRole('row', { name: /Of Ada/ })).toBeVisible()
    await expect(page.getByRole('columnheader', { name: 'Salary' })).toHaveCount(0)
    expect(await axeFindings(page)).toEqual([])
  })

  await test.step('impersonation continues after a reload', async () => {
    await page.reload()
    await expect(bar).toContainText('Viewing as Bea. Read-only.')
    await page.goto('/settings/roles')
    await expect(page.getByRole('heading', { name: 'You don’t have access to this page' })).toBeVisible()
  })

  await test.step("ending impersonation restores the user's own view", async () => {
    await bar.getByRole('button', { name: 'Stop' }).click()
    await expect(page.getByRole('heading', { name: 'People' })).toBeVisible()
    await expect(bar).toHaveCount(0)
  })
})

test('on a phone, a policy shared by several roles is changed for only one of them @full', async ({ page, server }) => {
  const owner = await asProgram(server.url, ADA)
  const made = await owner.ask('POST', '/api/roles', { name: 'Auditor', policies: ['viewer'] })
  await signIn(page, ADA)
  await page.setViewportSize({ width: 375, height: 800 })

  await test.step('other roles that the change would affect are named and excluded', async () => {
    await page.goto(`/settings/roles/${String(made['id'])}`)
    await cell(page, 'View, Staff: all').click()
    await page.getByRole('menuitem', { name: 'Edit details' }).click()
    const panel = page.getByRole('dialog', { name: 'View · Staff' })
    await expect(
      panel.getByText('“View all records” is also used by Viewer. This change affects them too.'),
    ).toBeVisible()
    await panel.getByRole('switch', { name: 'Only for Auditor' }).check()
    await panel
      .getByRole('radio', { name: /^Selected/ })
      .first()
      .check()
    await expect(panel.getByRole('button', { name: 'Save' })).toBeDisabled()
    const condition = panel.getByRole('group', { name: 'Condition', exact: true })
    await condition.getByText('Text', { exact: true }).click()
    await condition.getByRole('combobox', { name: 'Condition (as text)' }).fill('salary > 150')
    await expect(panel.getByText('Matches 1 record, such as “Of Ana”.')).toBeVisible()
    expect(await axeFindings(page)).toEqual([])
    await panel.getByRole('button', { name: 'Save' }).click()
    await expect(cell(page, 'View, Staff: only where Salary is more than 150')).toBeVisible()
    await expect(page.getByRole('list', { name: 'Policies of this role' })).toContainText('View all records (Auditor)')
  })

  await test.step('the other roles keep their access, and the change can be undone', async () => {
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(cell(page, 'View, Staff: all')).toBeVisible()
    await page.goto('/settings/roles/viewer')
    await expect(cell(page, 'View, All collections: all')).toBeVisible()
    await expect(page.getByText('View all records (Auditor)')).toHaveCount(0)
  })

  await test.step("a record page explains the user's access", async () => {
    await page.goto('/collections/staff')
    await page.getByRole('link', { name: 'Of Ana' }).first().click()
    await page.getByRole('link', { name: 'Open full page' }).click()
    await page.getByRole('button', { name: 'Check access' }).click()
    const drawer = page.getByRole('dialog', { name: 'Check access' })
    await drawer.getByRole('combobox', { name: 'Who' }).fill('Contributor')
    await page.getByRole('option', { name: 'The role Contributor' }).click()
    await expect(drawer.getByRole('status')).toContainText('and this record doesn’t match')
    await drawer.getByRole('combobox', { name: 'Who' }).fill('Auditor')
    await page.getByRole('option', { name: 'The role Auditor' }).click()
    await expect(drawer.getByRole('status')).toContainText('The role Auditor doesn’t allow it.')
    await drawer.getByRole('combobox', { name: 'What' }).fill('View')
    await page.getByRole('option', { name: 'View', exact: true }).click()
    await expect(drawer.getByRole('status')).toContainText('Yes')
  })
})

test('an owner adds and removes user attributes @full', async ({ page }) => {
  await signIn(page, ADA)
  await page.goto('/settings/workspace')
  const notes = page.getByRole('region', { name: 'User attributes' })
  await notes.getByLabel('Attribute name').fill('Sales region')
  await notes.getByRole('button', { name: 'Add attribute' }).click()
  await expect(notes.getByText('@me.sales_region')).toBeVisible()
  expect(await axeFindings(page)).toEqual([])
  await notes.getByRole('button', { name: 'Remove attribute Sales region' }).click()
  await expect(notes.getByText('@me.sales_region')).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(notes.getByText('@me.sales_region')).toBeVisible()
  await notes.getByRole('button', { name: 'Remove attribute Sales region' }).click()
  await expect(notes.getByText('@me.sales_region')).toHaveCount(0)
})

test('collections that fail to load are reported on the role page without endless retries @full', async ({ page }) => {
  await signIn(page, ADA)
  let requested = 0
  await page.route('**/api/collections', (route) => {
    requested += 1
    return route.fulfill({ status: 404, contentType: 'application/problem+json', body: '{"code":"not-found"}' })
  })
  await page.goto('/settings/roles/owner')
  const again = page.getByRole('main').getByRole('button', { name: 'Try again' })
  await expect(again).toBeVisible()
  expect(requested).toBeLessThan(4)
  await page.unroute('**/api/collections')
  await again.click()
  await expect(page.getByRole('region', { name: /^Permissions by collection: / })).toBeVisible()
})
