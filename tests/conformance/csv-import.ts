import type { Answer, Caller } from '#tests/support/server/test-app.ts'

/** Uploads a CSV file for inspection. */
export const upload = (who: Caller, csv: string | Buffer, name = 'things.csv'): Promise<Answer> =>
  who.request('POST', `/api/imports?name=${encodeURIComponent(name)}`, { raw: csv, headers: OCTETS })

/** Imports a CSV file into an existing collection. */
export const uploadInto = (who: Caller, collection: string, csv: string | Buffer, query = ''): Promise<Answer> =>
  who.request('POST', `/api/collections/${collection}/imports${query}`, { raw: csv, headers: OCTETS })

const OCTETS = { 'content-type': 'application/octet-stream' }

type Column = { readonly header: string; readonly kind: string; readonly options: object }

/** An import plan that creates one field per column, with the detected types. */
export const asNew = (label: string, looked: Answer, more: object = {}) => ({
  into: { newCollection: { label } },
  columns: looked.body.preview.columns.map(({ header, kind, options }: Column, at: number) => ({
    newField: { label: header || `Column ${at + 1}`, kind, options },
  })),
  ...more,
})

/** Polls an import until it finishes. */
export async function outcome(who: Caller, id: string): Promise<Answer> {
  for (;;) {
    const answer = await who.get(`/api/imports/${id}`)
    if (answer.status !== 200 || answer.body.state !== 'running') return answer
  }
}

/** Imports a CSV file into a new collection and waits until the import finishes. */
export async function importAsNew(
  who: Caller,
  label: string,
  csv: string | Buffer,
  more: object = {},
): Promise<Answer> {
  const looked = await upload(who, csv)
  if (looked.status !== 201) return looked
  const started = await who.post(`/api/imports/${looked.body.id}/start`, asNew(label, looked, more))
  return started.status === 202 ? outcome(who, looked.body.id) : started
}

/** Imports a CSV file into a collection, mapping columns by header, and waits until the import finishes. */
export async function importInto(who: Caller, collection: string, csv: string | Buffer, query = ''): Promise<Answer> {
  const started = await uploadInto(who, collection, csv, query)
  return started.status === 202 ? outcome(who, started.body.id) : started
}
