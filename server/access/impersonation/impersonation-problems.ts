import type { ImpersonationRefusal } from '#domain/access/impersonation.ts'
import { Problem } from '#domain/shared/problem.ts'

const REFUSAL_MESSAGES: { readonly [Refusal in ImpersonationRefusal]: string } = {
  'not-allowed': 'To look as somebody else one manages people and roles. Ask an owner of this workspace.',
  owner: 'Only owners look at Dossier as an owner.',
  'sees-more':
    'This user sees more than you do, so you cannot look at Dossier as them. Ask an owner of this workspace.',
}

/** Why somebody may not look as somebody else, said to them. */
export const impersonationProblem = (refusal: ImpersonationRefusal): Problem =>
  new Problem('forbidden', REFUSAL_MESSAGES[refusal])
