import { fetchJson } from '../client/fetch-json.ts'
import { STATUSES, TAGS } from './generated-records.ts'

const choices = (names: readonly string[]) => ({ choices: names.map((name) => ({ name })) })

const ITEM_FIELDS = [
  { label: 'Title', kind: 'text', required: true, options: { max: 200 } },
  { label: 'Body', kind: 'long-text' },
  { label: 'Status', kind: 'select', options: choices(STATUSES) },
  { label: 'Amount', kind: 'number', options: { min: 0, decimals: 2 } },
  { label: 'Made at', name: 'made_at', kind: 'date-time' },
  { label: 'Due', kind: 'date' },
  { label: 'Done', kind: 'checkbox' },
  { label: 'Owner', kind: 'relation', options: { collection: 'people' } },
  { label: 'Tags', kind: 'multi-select', options: choices(TAGS) },
  { label: 'Remark', kind: 'text' },
]

/** Creates the collections through the API: people, the measured one, and one to import into. */
export async function createCollections(port: number, token: string): Promise<void> {
  const make = (body: unknown) => fetchJson(port, { method: 'POST', path: '/api/collections', token, body })
  await make({ label: 'People', fields: [{ label: 'Name', kind: 'text', required: true }] })
  await make({ label: 'Items', fields: ITEM_FIELDS })
  await make({ label: 'More', fields: ITEM_FIELDS })
}
