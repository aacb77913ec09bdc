import type { Template } from '#domain/collections/template.ts'

export const CASES: Template = {
  id: 'cases',
  label: 'Help desk',
  purpose: 'Requests, complaints and support cases: contact, owner, due date and resolution.',
  alsoCalled: 'tickets, support, requests, issues, cases',
  collections: [
    {
      name: 'contacts',
      label: 'Contacts',
      icon: 'users',
      color: 'cyan',
      titleField: 'name',
      fields: [
        { label: 'Name', kind: 'text', required: true },
        { label: 'Organisation', kind: 'text' },
        { label: 'Email', kind: 'email' },
        { label: 'Phone', kind: 'phone' },
        { label: 'Notes', kind: 'rich-text' },
      ],
      views: [],
      records: [
        { name: 'Ines Moreau', organisation: 'Moreau Bakery', email: 'ines@example.com' },
        { name: 'Tariq Aziz', organisation: 'Northside School', email: 'tariq@example.com' },
        { name: 'Lena Vogel', organisation: 'Vogel & Daughters', email: 'lena@example.com' },
      ],
    },
    {
      name: 'cases',
      label: 'Cases',
      icon: 'briefcase',
      color: 'teal',
      titleField: 'subject',
      fields: [
        { label: 'Subject', kind: 'text', required: true },
        { label: 'Number', kind: 'auto-number' },
        {
          label: 'Status',
          kind: 'state',
          options: {
            choices: [
              { name: 'New', color: 'blue' },
              { name: 'In work', color: 'amber' },
              { name: 'Waiting', color: 'violet' },
              { name: 'Resolved', color: 'green' },
              { name: 'Closed', color: 'gray' },
            ],
          },
        },
        {
          label: 'Priority',
          kind: 'select',
          options: {
            choices: [
              { name: 'Low', color: 'gray' },
              { name: 'Normal', color: 'teal' },
              { name: 'Urgent', color: 'red' },
            ],
          },
          default: 'Normal',
        },
        { label: 'Contact', kind: 'relation', options: { collection: 'contacts' } },
        { label: 'Owner', kind: 'user' },
        { label: 'Due', kind: 'date' },
        { label: 'Description', kind: 'rich-text' },
        { label: 'Resolution', kind: 'long-text' },
        { label: 'Files', kind: 'files' },
      ],
      transitions: [
        { name: 'Take on', from: 'New', to: 'In work' },
        { name: 'Wait for an answer', from: 'In work', to: 'Waiting', note: 'optional' },
        { name: 'Go on', from: 'Waiting', to: 'In work' },
        { name: 'Resolve', from: 'In work', to: 'Resolved' },
        { name: 'Close', from: 'Resolved', to: 'Closed' },
        { name: 'Open again', from: 'Resolved', to: 'In work', note: 'required' },
      ],
      states: { Resolved: { requiredToLeave: ['resolution'] }, Closed: { frozen: 'all' } },
      rules: [
        {
          when: 'priority = "Urgent"',
          then: 'due is not empty',
          message: 'Urgent cases need a due date.',
          field: 'due',
        },
      ],
      views: [
        {
          name: 'By status',
          group: 'status',
          sort: 'due',
          hidden: ['description', 'resolution'],
          colors: [{ filter: 'due < @today && status in ("New", "In work", "Waiting")', color: 'red', field: 'due' }],
        },
        { name: 'Mine', filter: 'owner = @me && status != "Closed"', sort: 'due' },
        { name: 'Overdue', filter: 'due < @today && status in ("New", "In work", "Waiting")', sort: 'due' },
      ],
      records: [
        {
          subject: 'The oven timer stops after an hour',
          status: 'In work',
          priority: 'Urgent',
          contact: 'Ines Moreau',
          owner: { person: 'me' },
          due: { inDays: 1 },
          description: 'It started on Monday.\nShe needs it for the weekend.',
        },
        {
          subject: 'Invoice shows the old address',
          status: 'New',
          priority: 'Normal',
          contact: 'Tariq Aziz',
          due: { inDays: 6 },
        },
        {
          subject: 'Asks for a second key',
          status: 'Waiting',
          priority: 'Low',
          contact: 'Lena Vogel',
          owner: { person: 'me' },
          due: { inDays: -2 },
        },
        {
          subject: 'Delivery arrived without the manual',
          status: 'Resolved',
          priority: 'Normal',
          contact: 'Tariq Aziz',
          resolution: 'Mailed the manual.',
        },
        { subject: 'Would like a visit in spring', status: 'New', priority: 'Low', contact: 'Ines Moreau' },
      ],
    },
  ],
}
