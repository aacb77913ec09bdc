import type { Template } from '#domain/collections/template.ts'

export const INSPECTIONS: Template = {
  id: 'inspections',
  label: 'Inspections',
  purpose: 'Sites and their inspections: date, findings with photos, result and deadline for repairs.',
  alsoCalled: 'audit, check, safety, maintenance, checklist',
  collections: [
    {
      name: 'sites',
      label: 'Sites',
      description: 'Buildings and sites we inspect.',
      icon: 'building',
      color: 'teal',
      titleField: 'name',
      fields: [
        { label: 'Name', kind: 'text', required: true },
        { label: 'Address', kind: 'long-text' },
        { label: 'Contact', kind: 'text' },
        { label: 'Phone', kind: 'phone' },
        { label: 'Files', kind: 'files' },
      ],
      views: [],
      records: [
        { name: 'North depot', address: '3 Harbor Road', contact: 'Lena Vogel' },
        { name: 'City library', address: '12 Market Square', contact: 'Tariq Aziz' },
      ],
    },
    {
      name: 'inspections',
      label: 'Inspections',
      description: 'Planned and completed inspections with their findings and repairs.',
      icon: 'clipboard-list',
      color: 'amber',
      titleField: 'subject',
      fields: [
        { label: 'Subject', kind: 'text', required: true },
        { label: 'Number', kind: 'auto-number' },
        {
          label: 'Status',
          kind: 'state',
          options: {
            choices: [
              { name: 'Planned', color: 'blue' },
              { name: 'In work', color: 'amber' },
              { name: 'Submitted', color: 'violet' },
              { name: 'Approved', color: 'green' },
            ],
          },
        },
        { label: 'Site', kind: 'relation', required: true, options: { collection: 'sites' } },
        { label: 'Inspector', kind: 'user' },
        { label: 'Date', kind: 'date' },
        {
          label: 'Result',
          kind: 'select',
          options: {
            choices: [
              { name: 'No defects', color: 'green' },
              { name: 'Minor defects', color: 'amber' },
              { name: 'Serious defects', color: 'red' },
            ],
          },
        },
        { label: 'Repair by', description: 'Required for serious defects.', kind: 'date' },
        {
          label: 'Photos',
          description: 'One overview and a close-up of each defect.',
          kind: 'files',
          options: { accept: ['image/*'] },
        },
        { label: 'Findings', kind: 'rich-text' },
      ],
      transitions: [
        { name: 'Begin', from: 'Planned', to: 'In work' },
        { name: 'Submit', from: 'In work', to: 'Submitted' },
        { name: 'Approve', from: 'Submitted', to: 'Approved' },
        { name: 'Send back', from: 'Submitted', to: 'In work', note: 'required' },
      ],
      states: { 'In work': { requiredToLeave: ['date', 'result'] }, Approved: { frozen: 'all' } },
      rules: [
        {
          when: 'result = "Serious defects"',
          then: 'repairBy is not empty',
          message: 'Serious defects need a deadline for repairs.',
          field: 'repairBy',
        },
      ],
      views: [
        {
          name: 'By status',
          group: 'status',
          sort: 'date',
          hidden: ['findings'],
          colors: [{ filter: 'result = "Serious defects"', color: 'red', field: 'result' }],
        },
        { name: 'Calendar', hidden: ['findings'], display: { kind: 'calendar', options: { start: 'date' } } },
        {
          name: 'Mine',
          filter: 'inspector = @me && status in ("Planned", "In work")',
          sort: 'date',
          hidden: ['findings'],
        },
        { name: 'Repairs due', filter: 'repairBy is not empty', sort: 'repairBy', hidden: ['findings'] },
      ],
      records: [
        {
          subject: 'Fire doors',
          status: 'Approved',
          site: 'City library',
          date: { inDays: -20 },
          result: 'No defects',
          findings: 'All doors close by themselves.',
        },
        {
          subject: 'Lifting platform',
          status: 'Submitted',
          site: 'North depot',
          inspector: { person: 'me' },
          date: { inDays: -2 },
          result: 'Serious defects',
          repairBy: { inDays: 12 },
          findings: 'The emergency stop sticks.\nOut of use until it is repaired.',
        },
        {
          subject: 'Electrical installation',
          status: 'In work',
          site: 'North depot',
          inspector: { person: 'me' },
          date: { inDays: 0 },
        },
        { subject: 'Ladders and steps', status: 'Planned', site: 'City library', date: { inDays: 9 } },
      ],
    },
  ],
}
