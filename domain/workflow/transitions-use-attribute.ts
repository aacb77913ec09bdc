import { readsAttribute } from '#domain/query/check-condition.ts'
import type { Workflow } from './workflow.ts'

/** Whether the moves of a workflow depend on what is noted about people under a name. */
export const transitionsUseAttribute = (workflow: Workflow | undefined, name: string): boolean =>
  workflow?.transitions.some(({ when }) => when !== null && readsAttribute(when, name)) === true
