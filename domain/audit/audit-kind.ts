const KINDS = {
  'signing-in': [
    'signed-in',
    'sign-in-failed',
    'signed-out',
    'session-ended',
    'session-over-limit',
    'refresh-reused',
    'stepped-up',
    'step-up-failed',
  ],
  account: [
    'password-changed',
    'password-reset',
    'reset-requested',
    'factor-added',
    'factor-removed',
    'passkey-renamed',
    'recovery-codes-made',
    'recovery-code-used',
    'provider-linked',
    'provider-unlinked',
    'token-made',
    'token-changed',
    'token-revoked',
  ],
  people: [
    'owner-created',
    'invited',
    'invitation-accepted',
    'role-changed',
    'profile-changed',
    'user-disabled',
    'user-enabled',
    'sessions-ended',
  ],
  access: [
    'role-created',
    'role-edited',
    'role-removed',
    'policy-created',
    'policy-edited',
    'policy-removed',
    'profile-fields-changed',
    'view-as-begun',
    'view-as-ended',
  ],
  collections: ['collection-created', 'collection-changed', 'collection-removed'],
  export: ['records-exported', 'audit-exported'],
  workspace: [
    'workspace-renamed',
    'logo-changed',
    'logo-removed',
    'session-policy-changed',
    'second-factor-policy-changed',
    'storage-quota-changed',
    'time-zone-changed',
    'trash-days-changed',
    'records-removed',
    'history-erased',
    'history-days-changed',
    'keys-rotated',
    'storage-adopted',
    'storage-purged',
  ],
} as const

export type AuditGroup = keyof typeof KINDS

export type AuditKind = (typeof KINDS)[AuditGroup][number]

// The cast is safe because `KINDS` has exactly the keys of its type.
export const AUDIT_GROUPS = Object.keys(KINDS) as readonly AuditGroup[] as readonly [AuditGroup, ...AuditGroup[]]

export const kindsOf = (group: AuditGroup): readonly AuditKind[] => KINDS[group]

export const AUDIT_KINDS: readonly AuditKind[] = AUDIT_GROUPS.flatMap(kindsOf)
