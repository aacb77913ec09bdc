import { expect } from '@playwright/test'
import { test } from '#tests/support/browser/browser-page.ts'
import { lookAt } from '#tests/support/browser/look-at.ts'
import { ADA, asProgram, signIn, WITH_ADA } from '#tests/support/browser/session-page.ts'

test.use({ serverSettings: WITH_ADA })

test('earlier values of a record are shown and restored, by keyboard alone', async ({ page, server }) => {
  const { ask } = await asProgram(server.url, ADA)
  await ask('POST', '/api/collections', {
    label: 'Articles',
    name: 'articles',
    fields: [
      { label: 'Title', kind: 'text' },
      { label: 'Stage', kind: 'select', options: { choices: [{ name: 'Draft' }, { name: 'Sent' }] } },
      { label: 'Text', kind: 'long-text' },
      { label: 'Body', kind: 'rich-text' },
    ],
  })
  const values = { title: 'To Jane', stage: 'Draft', text: 'I am glad to hear from you.' }
  const body = { html: '<p>Dear Jane, it is <strong>spring</strong>.</p>' }
  const record = await ask('POST', '/api/collections/articles/records', { values: { ...values, body } })
  const path = `/api/collections/articles/records/${String(record['id'])}`
  await ask('PATCH', path, {
    values: {
      stage: 'Sent',
      text: 'I am very glad to hear from you.',
      body: { html: '<p>Dear Jane, it is summer.</p>' },
    },
  })
  await signIn(page, ADA)
  await page.goto(`/collections/articles/${String(record['id'])}`)
  const history = page.getByRole('region', { name: 'History' })
  const entries = history.getByRole('listitem')

  await test.step('each change is listed with its old and new values', async () => {
    await page.getByRole('button', { name: 'Show history' }).press('Enter')
    await expect(entries).toHaveCount(2)
    await expect(entries.first()).toContainText(/Stage.*Draft.*Sent/s)
    await expect(entries.first().locator('ins')).toHaveText([/very/, 'summer'])
    await expect(entries.last()).toContainText(/ada.*created this record/)
    await lookAt(page, 'history')
  })

  await test.step('one value is restored, and this is undone', async () => {
    await history.getByRole('button', { name: 'Restore the previous value of Stage' }).press('Enter')
    await expect(page.getByText('Value restored')).toBeVisible()
    await expect(entries).toHaveCount(3)
    await expect.poll(async () => (await ask('GET', path))['values']).toMatchObject({ stage: 'Draft' })
    await page.getByRole('button', { name: 'Undo' }).press('Enter')
    await expect(entries).toHaveCount(4)
    await expect.poll(async () => (await ask('GET', path))['values']).toMatchObject({ stage: 'Sent' })
  })

  await test.step('the record is restored as it was created', async () => {
    await entries.last().getByRole('button', { name: 'Restore this version' }).press('Enter')
    await expect(page.getByText('Record restored')).toBeVisible()
    await expect.poll(async () => (await ask('GET', path))['values']).toMatchObject(values)
    await expect(page.getByRole('textbox', { name: 'Text', exact: true })).toHaveValue(values.text)
  })

  await test.step('the history is filtered by field', async () => {
    await history.getByRole('combobox', { name: 'Field' }).press('Enter')
    await page.getByRole('option', { name: 'Title', exact: true }).click()
    await expect(entries).toHaveCount(1)
  })
})

test('deleted records are found in the trash and restored with files and links', async ({ page, server }) => {
  const { ask, token } = await asProgram(server.url, ADA)
  const title = { label: 'Title', kind: 'text' }
  await ask('POST', '/api/collections', { label: 'Travelers', name: 'travelers', fields: [title] })
  const owner = await ask('POST', '/api/collections/travelers/records', { values: { title: 'Amelia' } })
  await ask('POST', '/api/collections', {
    label: 'Pouches',
    name: 'pouches',
    fields: [
      title,
      { label: 'Tag', kind: 'files' },
      { label: 'Traveler', kind: 'relation', options: { collection: 'travelers', many: false } },
    ],
  })
  const form = new FormData()
  form.append('filepond', new Blob(['size 42']), 'tag.txt')
  const upload = { method: 'POST', headers: { authorization: `Bearer ${token}` }, body: form }
  const file = await (await fetch(`${server.url}/api/uploads?collection=pouches&field=tag`, upload)).text()
  const shoes = { title: 'Shoes', tag: [file], traveler: owner['id'] }
  const create = [{ title: 'Books' }, shoes, { title: 'Maps' }].map((values) => ({ values }))
  await ask('POST', '/api/collections/pouches/records/bulk', { create })
  await signIn(page, ADA)
  await page.goto('/collections/pouches')
  await expect(page.getByRole('rowheader')).toHaveCount(3)
  await ask('POST', '/api/collections/pouches/records/bulk', { where: {}, delete: true })
  await page.getByRole('button', { name: 'More actions for Pouches' }).click()
  await page.getByRole('menuitem', { name: 'Trash' }).click()
  const rows = page.getByRole('list', { name: 'Deleted records' }).getByRole('listitem')

  await test.step('the trash lists who deleted what, and how long it is kept', async () => {
    await expect(page).toHaveURL(/\/trash\?collection=pouches/)
    await expect(rows).toHaveCount(3)
    await expect(rows.first()).toContainText(/Pouches.*Deleted .* by ada.*30 days left/s)
    await lookAt(page, 'trash')
  })

  await test.step('a search finds a record, which is restored', async () => {
    await page.getByRole('searchbox', { name: 'Search the trash' }).fill('shoe')
    await expect(rows).toHaveCount(1)
    await page.getByRole('checkbox', { name: 'Select Shoes' }).press('Space')
    await page.getByRole('button', { name: 'Restore', exact: true }).press('Enter')
    await expect(page.getByText('Restored 1 record')).toBeVisible()
    await expect(page.getByText('No deleted records match.')).toBeVisible()
    await page.getByRole('button', { name: 'Clear filter and search' }).click()
    await page.goto('/collections/pouches')
    await page.getByRole('button', { name: 'Open Shoes' }).press('Enter')
    const panel = page.getByRole('region', { name: 'Record in Pouches' })
    await expect(panel.getByRole('link', { name: 'Amelia' })).toBeVisible()
    await expect(panel.getByText('tag.txt')).toBeVisible()
  })

  await test.step('records are deleted permanently after a confirmation', async () => {
    await page.goto('/trash?collection=pouches')
    await expect(rows).toHaveCount(2)
    await page.getByRole('checkbox', { name: 'Select all shown' }).press('Space')
    await page.getByRole('button', { name: 'Delete permanently' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Delete 2 records permanently?' })
    await dialog.getByRole('button', { name: 'Delete permanently' }).press('Enter')
    await expect(page.getByText('No deleted records match.')).toBeVisible()
  })

  await test.step('a deleted collection and a deleted field are restored with their values', async () => {
    const { fields } = await ask('GET', '/api/collections/pouches')
    const [field] = fields as readonly { readonly id: string }[]
    await ask('DELETE', `/api/collections/pouches/fields/${field?.id}`)
    await ask('DELETE', '/api/collections/pouches')
    await page.goto('/trash')
    const deleted = page.getByRole('list', { name: 'Deleted fields and collections' }).getByRole('listitem')
    await deleted.filter({ hasText: 'Collection Pouches' }).getByRole('button', { name: 'Restore' }).press('Enter')
    await expect(page.getByText('Pouches restored')).toBeVisible()
    await lookAt(page, 'restored-collection')
    await deleted.filter({ hasText: 'Field Title of Pouches' }).getByRole('button', { name: 'Restore' }).press('Enter')
    await expect(page.getByText('Title restored')).toBeVisible()
  })

  await page.goto('/collections/pouches')
  await expect(page.getByRole('rowheader')).toHaveText(['Shoes'])
})

test('a change is found in the activity, previewed, undone and redone by keyboard alone', async ({ page, server }) => {
  const { ask } = await asProgram(server.url, ADA)
  await ask('POST', '/api/collections', {
    label: 'Bundles',
    name: 'bundles',
    fields: [
      { label: 'Title', kind: 'text' },
      { label: 'Weight', kind: 'number' },
    ],
  })
  const create = ['Books', 'Shoes', 'Maps'].map((title) => ({ values: { title, weight: 1 } }))
  await ask('POST', '/api/collections/bundles/records/bulk', { create })
  await ask('POST', '/api/collections/bundles/records/bulk', { where: {}, update: { values: { weight: 9 } } })
  const found = async (filter: string) => {
    const { items } = await ask('GET', `/api/collections/bundles/records?filter=${encodeURIComponent(filter)}`)
    return (items as readonly { readonly id: string }[]).map(({ id }) => id)
  }
  const [shoes = ''] = await found('title = "Shoes"')
  await ask('PATCH', `/api/collections/bundles/records/${shoes}`, { values: { weight: 5 } })
  await signIn(page, ADA)
  await page.goto('/collections/bundles')
  await page.getByRole('button', { name: 'More actions for Bundles' }).click()
  await page.getByRole('menuitem', { name: 'Activity' }).click()
  const rows = page.getByRole('list', { name: 'Changes' }).getByRole('listitem')

  await test.step('each change is described in one sentence', async () => {
    await expect(rows).toHaveCount(4)
    await expect(rows.nth(0)).toContainText('ada changed Weight of Shoes in Bundles')
    await expect(rows.nth(1)).toContainText('ada changed Weight of 3 records in Bundles')
    await expect(rows.nth(2)).toContainText('ada created 3 records in Bundles')
    await expect(rows.nth(3)).toContainText('ada created the collection Bundles')
    await lookAt(page, 'activity')
  })

  await test.step('a preview shows what will be undone and what is kept', async () => {
    await rows.nth(1).getByRole('button', { name: 'Undo' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Undo this change?' })
    await expect(dialog).toContainText('2 records will get their earlier values.')
    await expect(dialog.getByRole('region', { name: 'Changed since, and kept' })).toContainText(
      '1 record: Weight was changed since.',
    )
    await lookAt(page, 'undo-preview')
    await dialog.getByRole('button', { name: 'Undo' }).press('Enter')
    await expect(page.getByText('Set back 2 records')).toBeVisible()
    await expect(rows.nth(0)).toContainText('Undo')
    await expect(rows.nth(2)).toContainText('Undone')
    expect(await found('weight = 1')).toHaveLength(2)
  })

  await test.step('the undone change is redone', async () => {
    await page.getByRole('button', { name: 'Redo' }).press('Enter')
    await expect(rows).toHaveCount(6)
    expect(await found('weight = 9')).toHaveLength(2)
  })

  await test.step('the list is filtered by kind', async () => {
    await page.getByRole('combobox', { name: 'Kind of change' }).press('Enter')
    await page.getByRole('option', { name: 'Created', exact: true }).click()
    await expect(rows).toHaveCount(1)
  })

  await test.step('a changed field type is undone with the former values, except those edited since', async () => {
    const { fields } = await ask('GET', '/api/collections/bundles')
    const weight = (fields as readonly { readonly id: string; readonly name: string }[]).find(
      ({ name }) => name === 'weight',
    )
    await ask('PATCH', `/api/collections/bundles/fields/${weight?.id}`, { kind: 'text', label: 'Heaviness' })
    await ask('PATCH', `/api/collections/bundles/records/${shoes}`, { values: { weight: 'light' } })
    await page.goto('/activity?collection=bundles')
    await expect(rows.nth(1)).toContainText('ada renamed the field Weight to Heaviness in Bundles')
    await expect(rows.nth(1)).toContainText('ada changed the type of Heaviness from Number to Text in Bundles')
    await rows.nth(1).getByRole('button', { name: 'Undo' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Undo this change?' })
    await expect(dialog).toContainText('The type of Weight will be Number again.')
    await expect(dialog).toContainText('2 records will get their earlier values.')
    await expect(dialog.getByRole('region', { name: 'Restored only in part' })).toContainText(
      '1 record: Heaviness was edited since. The new value can’t be converted back, so it will be empty.',
    )
    await lookAt(page, 'undo-preview-of-a-field')
    await dialog.getByRole('button', { name: 'Undo' }).press('Enter')
    await expect(page.getByText('Change undone · Set back 2 records')).toBeVisible()
    await expect(rows.nth(0)).toContainText('ada changed the type of Weight from Text to Number in Bundles')
    expect(await found('weight = 9')).toHaveLength(2)
  })
})

test('an import is undone, except for 40 records edited since, by keyboard alone @full', async ({ page, server }) => {
  const { ask } = await asProgram(server.url, ADA)
  await ask('POST', '/api/collections', {
    label: 'Parcels',
    name: 'parcels',
    fields: [
      { label: 'Code', kind: 'text' },
      { label: 'Weight', kind: 'number' },
    ],
  })
  const records = '/api/collections/parcels/records'
  await ask('POST', records, { values: { code: 'C0', weight: 7 } })
  await signIn(page, ADA)
  await page.goto('/import?into=parcels')
  const lines = Array.from({ length: 300 }, (_, at) => `C${at},${at}`)
  const buffer = Buffer.from(`code,weight\n${lines.join('\n')}\n`)
  await page.getByLabel('CSV file').setInputFiles({ name: 'parcels.csv', mimeType: 'text/csv', buffer })
  await page.getByRole('combobox', { name: 'Existing records' }).press('Enter')
  await page.getByRole('option', { name: 'Update the record with the same Code' }).click()
  await expect(page.getByText('1 updated, 299 new.')).toBeVisible()
  await page.getByRole('button', { name: /^Import/ }).press('Enter')
  await expect(page.getByText(/1 updated\.$/)).toBeVisible()
  await ask('POST', `${records}/bulk`, { where: { filter: 'weight >= 260' }, update: { values: { weight: 1000 } } })
  await page.goto('/activity?collection=parcels')
  const imported = page
    .getByRole('list', { name: 'Changes' })
    .getByRole('listitem')
    .filter({ hasText: 'ada imported 299 records into Parcels' })
  const dialog = page.getByRole('dialog', { name: 'Undo this change?' })
  const undo = dialog.getByRole('button', { name: 'Undo' })

  await test.step('the preview lists the edited records', async () => {
    await imported.getByRole('button', { name: 'Undo' }).press('Enter')
    await expect(dialog).toContainText('259 created records will be deleted.')
    await expect(dialog).toContainText('1 record will get its earlier values.')
    const kept = dialog.getByRole('region', { name: 'Changed since, and kept' })
    await expect(kept).toContainText('40 records: Kept because of later edits.')
    await lookAt(page, 'undo-preview-of-an-import')
    await kept.getByRole('button', { name: 'Show them' }).press('Enter')
    await expect(page.getByText('40 of 300 records')).toBeVisible()
  })

  await test.step('the others are deleted, and the edited ones are listed', async () => {
    await page.goBack()
    await imported.getByRole('button', { name: 'Undo' }).press('Enter')
    await expect(undo).toBeEnabled()
    await undo.press('Enter')
    await expect(page.getByText('40 records: Kept because of later edits.')).toBeVisible()
    await expect(imported).toContainText('Undone')
    const after = await ask('GET', `${records}?count=exact&sort=weight&perPage=1`)
    expect(after).toMatchObject({ total: 41, items: [{ values: { code: 'C0', weight: 7 } }] })
    await lookAt(page, 'import-undone')
  })
})

test('a list is shown as it was, and an owner erases the history of a record', async ({ page, server }) => {
  const { ask } = await asProgram(server.url, ADA)
  await ask('POST', '/api/collections', {
    label: 'Dinghies',
    name: 'dinghies',
    fields: [
      { label: 'Title', kind: 'text' },
      { label: 'Berth', kind: 'number' },
    ],
  })
  const create = ['Aurora', 'Bella'].map((title) => ({ values: { title, berth: 1 } }))
  await ask('POST', '/api/collections/dinghies/records/bulk', { create })
  const { items } = await ask('GET', '/api/collections/dinghies/records?sort=title')
  const [aurora, bella] = items as readonly { readonly id: string; readonly createdAt: string }[]
  const path = `/api/collections/dinghies/records/${aurora?.id}`
  const time = aurora?.createdAt ?? ''
  await ask('PATCH', path, { values: { title: 'Zephyr', berth: 2 } })
  await ask('DELETE', `/api/collections/dinghies/records/${bella?.id}`)
  await signIn(page, ADA)
  await page.goto('/collections/dinghies')
  const rows = page.getByRole('rowheader')
  const bar = page.getByRole('group', { name: 'Earlier time' })

  await test.step('the collection menu shows an earlier time, and leads back', async () => {
    await expect(rows).toHaveText(['Zephyr'])
    await page.getByRole('button', { name: 'More actions for Dinghies' }).press('Enter')
    await page.getByRole('menuitem', { name: 'View at an earlier time' }).press('Enter')
    await expect(bar).toContainText('You’re viewing an earlier time.')
    await expect(rows).toHaveCount(0)
    await lookAt(page, 'as-of-list')
    await bar.getByRole('button', { name: 'Back to now' }).press('Enter')
    await expect(rows).toHaveText(['Zephyr'])
  })

  await test.step('records have their former values, and can’t be changed', async () => {
    await page.goto(`/collections/dinghies?asOf=${time}`)
    await expect(rows).toHaveText(['Aurora', 'Bella'])
    await expect(page.getByRole('button', { name: 'New record' })).toHaveCount(0)
    await page.getByRole('button', { name: 'Open Aurora' }).press('Enter')
    const panel = page.getByRole('region', { name: 'Record in Dinghies' })
    await expect(panel).toContainText('It can’t be changed.')
    await expect(panel.getByRole('textbox', { name: 'Title' })).toHaveValue('Aurora')
    await expect(panel.getByRole('textbox', { name: 'Title' })).not.toBeEditable()
    await lookAt(page, 'as-of-record')
    await page.keyboard.press('Escape')
  })

  await test.step('groups are those of that time', async () => {
    await page.goto(`/collections/dinghies?asOf=${time}&group=berth`)
    await expect(page.getByRole('row', { name: /^1 2/ })).toBeVisible()
    await expect(rows).toHaveText(['Aurora', 'Bella'])
  })

  await test.step('what changed since is listed', async () => {
    await bar.getByRole('button', { name: 'Show what changed since' }).press('Enter')
    await expect(rows).toHaveText(['Zephyr'])
    await expect(page).toHaveURL(/filter=updatedAt/)
  })

  await test.step('the history of a record is erased', async () => {
    await page.goto(`/collections/dinghies/${aurora?.id}`)
    await page.getByRole('button', { name: 'Show history' }).press('Enter')
    const history = page.getByRole('region', { name: 'History' })
    await expect(history.getByRole('listitem')).toHaveCount(2)
    await history.getByRole('button', { name: 'Erase history' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Erase the history of this record?' })
    await dialog.getByRole('button', { name: 'Erase history' }).press('Enter')
    await expect(page.getByText('History erased')).toBeVisible()
    await expect(history).toContainText('No changes yet')
    expect((await ask('GET', path))['values']).toMatchObject({ title: 'Zephyr' })
  })
})
