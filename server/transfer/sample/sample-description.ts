import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { fieldInput } from '#api/collections.ts'
import { COLLECTION_ICONS } from '#domain/collections/collection-appearance.ts'
import { OPTION_COLORS } from '#domain/fields/field.ts'
import { PROJECT_ROOT } from '#server/project-root.ts'

/** Where the sample lies. */
const SAMPLES = join(PROJECT_ROOT, 'samples')

/** What the file calls the pictures of records. */
const PICTURES = 'attachments'

const sampleCollection = z.object({
  name: z.string(),
  label: z.string(),
  icon: z.enum(COLLECTION_ICONS),
  color: z.enum(OPTION_COLORS),
  group: z.string(),
  /** The CSV its records come from. */
  file: z.string(),
  titleField: z.string(),
  /** `column`: the header of the column a field is filled from. */
  fields: z.array(
    fieldInput.extend({ column: z.string().optional() }).transform(({ column, ...field }) => ({ column, field })),
  ),
  /** Pictures of records, which are named by their titles. */
  [PICTURES]: z.array(z.object({ record: z.string(), field: z.string(), file: z.string(), name: z.string() })),
  /** Rich texts of records, in the languages in which somebody has written them. */
  documents: z.array(z.object({ record: z.string(), field: z.string(), document: z.looseObject({ en: z.unknown() }) })),
})

/** A collection of the sample: its definition, and where its records, pictures and texts come from. */
export type SampleCollection = z.infer<typeof sampleCollection> & {
  readonly pictures: z.infer<typeof sampleCollection>[typeof PICTURES]
}

/** The collections of the sample, those that are pointed at before those that point. */
export async function readSampleDescription(): Promise<readonly SampleCollection[]> {
  const text = await readFile(join(SAMPLES, 'workspace.json'), 'utf8')
  const { collections } = z.object({ collections: z.array(sampleCollection) }).parse(JSON.parse(text))
  return collections.map((each) => ({ ...each, pictures: each[PICTURES] }))
}

/** Where a file of the sample lies. */
export const samplePath = (file: string): string => join(SAMPLES, file)
