import { expect } from '@playwright/test'
import { axeFindings } from '#tests/support/browser/axe-findings.ts'
import { test } from '#tests/support/browser/browser-page.ts'
import { ADA, signIn, WITH_ADA } from '#tests/support/browser/session-page.ts'

test.use({ serverSettings: WITH_ADA })

test('a field type change for many records shows progress and can be canceled and restarted', async ({
  page,
  server,
}) => {
  test.setTimeout(300_000)
  await signIn(page, ADA)

  const ask = async (method: string, path: string, data: unknown, headers = {}) => {
    const answer = await page.request.fetch(`${server.url}${path}`, { method, data, headers, timeout: 60_000 })
    expect(answer.ok(), await answer.text()).toBe(true)
    return answer.json()
  }
  const credentials = { email: ADA.email, password: ADA.password, client: 'api' }
  const { token } = await ask('POST', '/api/auth/login', credentials)
  const authorization = `Bearer ${token}`
  const path = '/api/collections'
  /** Concurrent writes keep the job running long enough. */
  let isBusy = true
  const create = Array.from({ length: 500 }, () => ({ values: { name: 'other' } }))
  const others = async (): Promise<void> => {
    while (isBusy) await ask('POST', `${path}/others/records/bulk`, { create }, { authorization })
  }

  await test.step('a collection too large for immediate conversion is created', async () => {
    for (const [label, field] of [
      ['Containers', 'Code'],
      ['Others', 'Name'],
    ]) {
      await ask('POST', path, { label, fields: [{ label: field, kind: 'text' }] }, { authorization })
    }
    const csv = `code\n${Array.from({ length: 120_000 }, (_, at) => at).join('\n')}\n`
    const headers = { authorization, 'content-type': 'text/csv' }
    const { id } = await ask('POST', `${path}/containers/imports?encoding=utf-8`, csv, headers)
    const state = async () => (await ask('GET', `/api/imports/${id}`, undefined, { authorization })).state
    await expect.poll(state, { timeout: 90_000 }).toBe('done')
  })

  const changeToNumber = async () => {
    await page.getByRole('button', { name: 'Edit Code' }).click()
    await page.getByRole('combobox', { name: 'Field type' }).click()
    await page.getByRole('option', { name: /^Number/ }).click()
    await page.getByRole('button', { name: 'Save field' }).click()
  }
  const progress = page.getByRole('progressbar', { name: /of 120,000 records/ })

  await test.step('the conversion shows progress, even after a reload, and can be canceled', async () => {
    await page.goto(`${server.url}/collections/containers/settings`)
    const busy = [others(), others()]
    await changeToNumber()
    await expect(progress).toBeVisible({ timeout: 30_000 })
    await page.reload()
    await expect(page.getByText('Changing the type of Code')).toBeVisible({ timeout: 15_000 })
    expect(await axeFindings(page, [])).toEqual([])
    await page.getByRole('button', { name: 'Cancel change to Code' }).click()
    await expect(page.getByText('Canceled. Code was not changed')).toBeVisible({ timeout: 15_000 })
    await expect(progress).toBeHidden()
    isBusy = false
    await Promise.all(busy)
  })

  await test.step('the conversion shows when it has finished', async () => {
    await changeToNumber()
    await expect(page.getByText('Code updated', { exact: true })).toBeVisible({ timeout: 150_000 })
    await expect(page.getByRole('button', { name: 'Edit Code' })).toContainText('Number')
  })
})
