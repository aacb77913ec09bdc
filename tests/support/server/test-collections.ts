import { expect } from 'vitest'
import { runDoctor } from '#server/operations/doctor/run-checks.ts'
import type { Caller, TestApp } from './test-app.ts'

export type TestCollection = {
  readonly id: string
  readonly name: string
  /** Field IDs by name. */
  readonly fields: Readonly<Record<string, string>>
}

let defined = 0

/** Creates a collection; a number is appended to its label, so that it can be created for each test. */
export async function defineCollection(by: Caller, label: string, fields: readonly object[]): Promise<TestCollection> {
  const { status, body, text } = await by.post('/api/collections', { label: `${label} ${(defined += 1)}`, fields })
  expect(status, text).toBe(201)
  const ids = body.fields.map((field: { readonly name: string; readonly id: string }) => [field.name, field.id])
  return { id: body.id, name: body.name, fields: Object.fromEntries(ids) }
}

export const recordsPath = ({ name }: TestCollection): string => `/api/collections/${name}/records`

export async function createRecords(
  by: Caller,
  collection: TestCollection,
  ...values: readonly object[]
): Promise<string[]> {
  const create = values.map((one) => ({ values: one }))
  const { status, body, text } = await by.post(`${recordsPath(collection)}/bulk`, { create })
  expect(status, text).toBe(200)
  return body.created
}

/** What the doctor reports; nothing if all is well. */
export async function doctorFindings({ database, config, clock }: TestApp): Promise<readonly string[]> {
  const said: string[] = []
  const found = await runDoctor({ database, config, clock: clock.now, say: (line) => void said.push(line) })
  return found === 0 ? [] : said
}
