import type { PolicyBody } from '#api/roles.ts'
import { AppLink } from '#web/shared/navigation/app-link.tsx'
import { Notice } from '#web/ui/feedback/notice.tsx'
import { t } from '#web/i18n/t.ts'
import { policyPath, rolePath } from './role-paths.ts'
import { ExamplesSection } from './examples/examples-section.tsx'
import { SubjectMatrix } from './matrix/subject-matrix.tsx'
import { useRoleNameOf } from './use-role-name-of.ts'
import './roles.css'

/** Grants saved before conditions were limited: an invalid one matches nothing. */
function GrantErrors({ policy: { grants } }: { readonly policy: PolicyBody }) {
  const faults = [...new Set(grants.flatMap(({ fault }) => fault ?? []))]
  if (faults.length === 0) return null
  return (
    <Notice
      title={t('A condition of this policy matches no records. Edit it, then save.')}
      detail={faults.map((fault) => <p key={fault}>{fault}</p>)}
    />
  )
}

type PolicyViewProps = { readonly policy: PolicyBody; readonly policies: readonly PolicyBody[] }

export function PolicyView({ policy, policies }: PolicyViewProps) {
  const nameOf = useRoleNameOf()
  return (
    <>
      <section className="roles-section" aria-labelledby="matrix-title">
        <div className="roles-head">
          <div>
            <h2 id="matrix-title">{t('Permissions')}</h2>
            <p>{t('Select a cell to edit it. A role can have more permissions through other policies.')}</p>
          </div>
        </div>
        <GrantErrors policy={policy} />
        <SubjectMatrix
          subject={{ who: t('Anyone with this policy'), role: undefined, policies: [policy] }}
          allPolicies={policies}
          page={policyPath(policy.id)}
        />
      </section>
      <ExamplesSection policy={policy} />
      <section className="roles-section" aria-labelledby="roles-title">
        <h2 id="roles-title">{t('Roles with this policy')}</h2>
        {policy.roles.length === 0 ? (
          <p className="grant-hint">{t('None yet. Add it on a role’s page.')}</p>
        ) : (
          <ul className="roles-holders">
            {policy.roles.map((role) => (
              <li key={role}>
                <AppLink href={rolePath(role)} className="roles-link">
                  {nameOf(role)}
                </AppLink>
              </li>
            ))}
          </ul>
        )}
      </section>
    </>
  )
}
