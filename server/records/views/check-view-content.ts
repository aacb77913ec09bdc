import type { ViewInput } from '#api/views.ts'
import type { PartProblem, ProblemCode } from '#domain/shared/problem.ts'
import { PROBLEMS, Problem } from '#domain/shared/problem.ts'
import type { Result } from '#domain/shared/result.ts'
import {
  type CheckedViewQuery,
  checkViewDisplay,
  checkViewLayout,
  checkViewLook,
  checkViewQuery,
  type ViewMaker,
} from '#domain/views/check-view.ts'
import type { ViewContent } from '#domain/views/view.ts'

export type ContentDraft = {
  readonly [Part in 'query' | 'display' | 'layout' | 'look' | 'pageSize']?: ViewInput[Part] | undefined
}

type StoredContent<Draft extends ContentDraft> = Draft extends ViewInput ? ViewContent : Partial<ViewContent>

export type CheckedContent<Draft extends ContentDraft = ContentDraft> = {
  readonly kept: StoredContent<Draft>
  readonly requested: Pick<CheckedViewQuery, 'query' | 'grouping'> | undefined
}

/** Checks the content of a view against its collection and the permissions of the user, or throws. */
export function checkViewContent<Draft extends ContentDraft>(maker: ViewMaker, draft: Draft): CheckedContent<Draft> {
  const query = draft.query && valueOrThrow(checkViewQuery(draft.query, maker))
  const display = draft.display && valueOrThrow(checkViewDisplay(draft.display, maker))
  const layout = draft.layout && valueOrThrow(checkViewLayout(draft.layout, maker))
  const look = draft.look && valueOrThrow(checkViewLook(draft.look, maker))
  const kept = {
    ...(query && { query: query.kept }),
    ...(display && { display }),
    ...(layout && { layout }),
    ...(look && { look }),
    ...(draft.pageSize !== undefined && { pageSize: draft.pageSize }),
  }
  return { kept: kept as StoredContent<Draft>, requested: query }
}

function valueOrThrow<Value>(checked: Result<Value, PartProblem>): Value {
  if (checked.ok) return checked.value
  const { code, message, position } = checked.fault
  throw new Problem(codeOf(code), `The view was not saved. ${message}`, {
    errors: [checked.fault],
    ...(position !== undefined && { extra: { position } }),
  })
}

const codeOf = (code: string): ProblemCode => (isProblemCode(code) ? code : 'definition-invalid')

const isProblemCode = (code: string): code is ProblemCode => Object.hasOwn(PROBLEMS, code)
