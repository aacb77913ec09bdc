import { fieldInput } from '#api/collections.ts'
import type { UsedTemplateBody } from '#api/templates.ts'
import { viewInput } from '#api/views.ts'
import { workflowInput, type WorkflowInput } from '#api/workflows.ts'
import { type Actor, userIdOf } from '#domain/access/actor.ts'
import { hasPermissionEverywhere } from '#domain/access/decide.ts'
import { type Collection, fieldByName } from '#domain/collections/collection.ts'
import {
  type Template,
  type TemplateCollection,
  type TemplateRecord,
  type TemplateValue,
  translateTemplate,
} from '#domain/collections/template.ts'
import { type Field, holdsList } from '#domain/fields/field.ts'
import type { NamedValues } from '#domain/records/check-values.ts'
import { documentOfText } from '#domain/rich-text/plain-text.ts'
import type { CollectionId, RecordId } from '#domain/shared/ids.ts'
import type { Language } from '#domain/shared/language.ts'
import { Problem } from '#domain/shared/problem.ts'
import { dayIn, instantOf, shiftDay } from '#domain/shared/time.ts'
import { knownNames } from '#server/access/rights/rights.ts'
import type { Change } from '#server/records/changes/change-log.ts'
import { commitDefinition, withCurrentDefinitions, type Writing } from '#server/records/changes/commit-change.ts'
import type { RecordDeps } from '#server/records/crud/record-deps.ts'
import { createRecordIn } from '#server/records/crud/write-record.ts'
import { viewChange } from '#server/records/views/log-view.ts'
import { createViewIn, setAsDefault } from '#server/records/views/save-view.ts'
import { withWorkflow } from '#server/records/workflow/check-workflow.ts'
import { storeDefinition } from '#server/schema/collections/change-collection.ts'
import { makeCollection } from '#server/schema/collections/create-collection.ts'
import { definitionChange } from '#server/schema/collections/log-definition.ts'
import { APPLICANTS } from '#server/schema/templates/content/applicants.ts'
import { ASSETS } from '#server/schema/templates/content/assets.ts'
import { CASES } from '#server/schema/templates/content/cases.ts'
import { CONTRACTS } from '#server/schema/templates/content/contracts.ts'
import { CRM } from '#server/schema/templates/content/crm.ts'
import { EDITORIAL } from '#server/schema/templates/content/editorial.ts'
import { EVENTS } from '#server/schema/templates/content/events.ts'
import { INSPECTIONS } from '#server/schema/templates/content/inspections.ts'
import { PROJECTS } from '#server/schema/templates/content/projects.ts'
import { RESEARCH_SAMPLES } from '#server/schema/templates/content/research-samples.ts'
import german from './content/de.json' with { type: 'json' }

export const TEMPLATES: readonly Template[] = [
  INSPECTIONS,
  CRM,
  APPLICANTS,
  ASSETS,
  CASES,
  EDITORIAL,
  RESEARCH_SAMPLES,
  CONTRACTS,
  EVENTS,
  PROJECTS,
]

const GERMAN: ReadonlyMap<string, string> = new Map(Object.entries(german))

export const templatesIn = (language: Language): readonly Template[] =>
  language === 'de' ? TEMPLATES.map((each) => translateTemplate(each, (text) => GERMAN.get(text) ?? text)) : TEMPLATES

type CreatedTitles = Map<CollectionId, ReadonlyMap<string, RecordId>>

function exampleValues(
  writing: Writing,
  collection: Collection,
  example: TemplateRecord,
  titles: CreatedTitles,
): NamedValues {
  return Object.fromEntries(
    Object.entries(example).map(([name, value]) => [
      name,
      inputValue(writing, fieldByName(collection, name), value, titles),
    ]),
  )
}

function inputValue(writing: Writing, field: Field | undefined, value: TemplateValue, titles: CreatedTitles): unknown {
  if (typeof value === 'object' && 'inDays' in value) return exampleDate(writing, value)
  if (typeof value === 'object' && 'person' in value) return userIdOf(writing.actor)
  if (field?.kind === 'rich-text') return documentOfText(String(value))
  if (field?.kind !== 'relation') return value
  const made = titles.get(field.options.collection)
  const ids = [value].flat().map((title) => made?.get(String(title)))
  return holdsList(field) ? ids : ids[0]
}

function exampleDate(
  { at, definitions: { timeZone } }: Writing,
  { inDays, at: time }: { readonly inDays: number; readonly at?: string },
): string | undefined {
  const day = shiftDay(dayIn(timeZone, new Date(at)), inDays, 'days')
  return time === undefined ? day : instantOf(timeZone, `${day}T${time}:00.000`).toISOString()
}

/** Created objects by their names in the template, since collections can be created under other names. */
type CreatedCollections = Map<string, Collection>

type CreatedCollection = { readonly collection: Collection; readonly changes: readonly Change[] }

/** Creates the collections of a template, and optionally its example records, in one write. */
export async function useTemplate(
  deps: RecordDeps,
  actor: Actor,
  id: string,
  { withExamples, language }: { readonly withExamples: boolean; readonly language: Language },
): Promise<UsedTemplateBody> {
  if (!hasPermissionEverywhere(actor, 'collections:manage'))
    throw new Problem('forbidden', 'Only an owner makes collections.')
  const template = getTemplate(id, language)

  return commitDefinition(deps, actor, async (begun) => {
    const made: CreatedCollections = new Map()
    const titles: CreatedTitles = new Map()
    const changes: Change[] = []
    for (const described of template.collections) {
      const { collection, ...log } = await createDescribed(
        deps,
        await withCurrentDefinitions(deps, begun),
        described,
        made,
      )
      made.set(described.name, collection)
      changes.push(...log.changes)
      if (withExamples)
        changes.push(
          ...(await createExamples(await withCurrentDefinitions(deps, begun), collection, described, titles)),
        )
    }
    const collections = [...made.values()].map(({ id: madeId, name, label }) => ({ id: madeId, name, label }))
    return { answer: { collections }, changes, events: [{ type: 'definitions-changed' }] }
  })
}

function getTemplate(id: string, language: Language): Template {
  const template = templatesIn(language).find((each) => each.id === id)
  if (!template) throw new Problem('not-found', 'Template not found.')
  return template
}

async function createDescribed(
  deps: RecordDeps,
  writing: Writing,
  described: TemplateCollection,
  made: CreatedCollections,
): Promise<CreatedCollection> {
  const { label, icon, color, description, titleField, rules } = described
  const fields = described.fields.map(({ options = {}, ...field }) =>
    fieldInput.parse({
      ...field,
      options: {
        ...options,
        ...(options.collection !== undefined && { collection: made.get(options.collection)?.id }),
      },
    }),
  )
  const look = { label, icon, color, description }
  const first = await makeCollection(writing, {
    ...look,
    fields,
    titleField,
    rules: rules?.map((rule) => ({ ...rule })),
  })
  const moving = await withTransitions(deps, writing, first, described)
  const views = await createViews(await withCurrentDefinitions(deps, writing), moving.collection, described)
  const { changes } = definitionChange(null, first)
  return { collection: moving.collection, changes: [...changes, ...moving.changes, ...views] }
}

async function withTransitions(
  deps: RecordDeps,
  begun: Writing,
  collection: Collection,
  described: TemplateCollection,
): Promise<CreatedCollection> {
  const wanted = workflowOf(collection, described)
  if (!wanted) return { collection, changes: [] }
  const writing = await withCurrentDefinitions(deps, begun)
  const moving = withWorkflow(writing, collection, wanted, await knownNames(writing.transaction.db))
  const { changes } = await storeDefinition(writing, collection, moving)
  return { collection: { ...moving, version: collection.version + 1 }, changes }
}

function workflowOf(
  { fields }: Collection,
  { transitions, states = {} }: TemplateCollection,
): WorkflowInput | undefined {
  const field = fields.find(({ kind }) => kind === 'state')
  if (!transitions || field?.kind !== 'state') return undefined
  const stateId = (name: string): string | undefined => field.options.choices.find((choice) => choice.name === name)?.id
  return workflowInput.parse({
    transitions: transitions.map(({ from, to, ...move }) => ({ ...move, from: stateId(from), to: stateId(to) })),
    states: Object.fromEntries(
      Object.entries(states).map(([state, { requiredToLeave = [], frozen = [] }]) => [
        stateId(state) ?? state,
        {
          requiredToLeave: fieldIds(fields, requiredToLeave),
          frozen: frozen === 'all' ? frozen : fieldIds(fields, frozen),
        },
      ]),
    ),
  })
}

const fieldIds = (fields: readonly Field[], names: readonly string[]): string[] =>
  names.map((name) => fields.find((field) => field.name === name)?.id ?? name)

async function createViews(
  writing: Writing,
  collection: Collection,
  { views }: TemplateCollection,
): Promise<readonly Change[]> {
  const changes: Change[] = []
  for (const [at, { name, filter, sort, group, hidden, footers, colors, display }] of views.entries()) {
    const input = viewInput.parse({
      name,
      isShared: true,
      query: { filter, sort, group },
      layout: { hidden, footers },
      look: { colors },
      display,
    })
    const { view } = await createViewIn(writing, collection.id, input)
    if (at === 0) await setAsDefault(writing, view)
    changes.push(...viewChange(null, view).changes)
  }
  return changes
}

async function createExamples(
  writing: Writing,
  collection: Collection,
  { records, titleField }: TemplateCollection,
  titles: CreatedTitles,
): Promise<readonly Change[]> {
  const changes: Change[] = []
  const made = new Map<string, string>()
  titles.set(collection.id, made)
  for (const example of records) {
    const { record, change } = await createRecordIn(
      writing,
      collection.id,
      exampleValues(writing, collection, example, titles),
    )
    const title = example[titleField]
    if (typeof title === 'string') made.set(title, record.id)
    changes.push(change)
  }
  return changes
}
