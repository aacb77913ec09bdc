import type { ImpersonationRefusal } from '#domain/access/impersonation.ts'
import { Problem } from '#domain/shared/problem.ts'

const REFUSAL_MESSAGES: { readonly [Refusal in ImpersonationRefusal]: string } = {
  'not-allowed': 'Viewing as another user requires permission to manage users and roles. Ask an owner.',
  owner: 'Only owners can view as an owner.',
  'sees-more': 'This user can see more than you, so you can’t view as them. Ask an owner.',
}

/** Why somebody may not look as somebody else, said to them. */
export const impersonationProblem = (refusal: ImpersonationRefusal): Problem =>
  new Problem('forbidden', REFUSAL_MESSAGES[refusal])
