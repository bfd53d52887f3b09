// Written by `npm run client` from /operator/openapi.json. Do not edit.
// sha256 of the document: 68599c1166685a8a3ecb9d517279c2386d48d9a78d9cc9da690f3fd66f85e99c

export interface paths {
    "/operator/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the audit log: who did what, when and why
         * @description Filters that are given together must all match.
         *
         *     Needs an operator key with the role viewer, support or admin.
         */
        get: operations["list_audit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/backup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a backup of the embedded database while it is in use, in production
         * @description It holds both environments as they are at one moment, encrypted with the secret key, which is not in it. "dateline restore" reads it.
         *
         *     Needs an operator key with the role admin.
         */
        post: operations["make_backup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/clients": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List OAuth clients
         * @description Needs an operator key with the role viewer, support or admin.
         */
        get: operations["list_clients"];
        put?: never;
        /**
         * Create an OAuth client
         * @description Needs an operator key with the role admin.
         */
        post: operations["create_client"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/clients/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a client and when its secrets were used
         * @description Needs an operator key with the role viewer, support or admin.
         */
        get: operations["read_client"];
        put?: never;
        post?: never;
        /**
         * Delete a client for good
         * @description Its tokens, its secrets and its registration end at once.
         *
         *     Needs an operator key with the role admin.
         */
        delete: operations["delete_client"];
        options?: never;
        head?: never;
        /**
         * Change a client
         * @description Fields that are left out stay as they are; a list is replaced as a whole. What is set here is the most that a client which registered itself can have.
         *
         *     Needs an operator key with the role admin.
         */
        patch: operations["change_client"];
        trace?: never;
    };
    "/operator/clients/{id}/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refuse a client and all its tokens until it is enabled again
         * @description Needs an operator key with the role support or admin.
         */
        post: operations["disable_client"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/clients/{id}/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enable a client again
         * @description Tokens that have not expired work as before.
         *
         *     Needs an operator key with the role admin.
         */
        post: operations["enable_client"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/clients/{id}/grants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the live grants of a client
         * @description Needs an operator key with the role viewer, support or admin.
         */
        get: operations["list_client_grants"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/clients/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a client a new secret
         * @description The one before stays live until the next rotation, or until it is revoked.
         *
         *     Needs an operator key with the role admin.
         */
        post: operations["rotate_client_secret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/clients/{id}/secrets/{secret_id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke a secret of a client
         * @description It is refused at once, also if it is the last one.
         *
         *     Needs an operator key with the role admin.
         */
        post: operations["revoke_client_secret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read this document as a page
         * @description Needs no operator key.
         */
        get: operations["read_reference_page"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/doctor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find problems of this node and its database
         * @description Needs an operator key with the role viewer, support or admin.
         */
        get: operations["examine_service"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Publish events of your API
         * @description All of them or, where one is refused, none; a refusal names its place, such as events[3].data.total. A batch has up to 1000 events and 4 MiB. It may be sent again at any time: what was published already is not published again.
         *
         *     Needs an operator key with the role publisher or admin.
         */
        post: operations["publish_events"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/failed-requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the requests of the last 7 days that failed
         * @description Request bodies are not stored. If very many requests fail at once, some are left out.
         *
         *     Needs an operator key with the role viewer, support or admin.
         */
        get: operations["list_failed_requests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/failed-requests/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count failed requests by client, operation, version and code
         * @description Needs an operator key with the role viewer, support or admin.
         */
        get: operations["group_failed_requests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/grants/{id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke a grant, with all of its tokens
         * @description Needs an operator key with the role admin.
         */
        post: operations["revoke_grant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/grants/{id}/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the tokens that were issued under a grant
         * @description Needs an operator key with the role viewer, support or admin.
         */
        get: operations["list_grant_tokens"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/leaks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke secrets that were found in public
         * @description One by one: the earlier ones stay revoked if a later one fails.
         *
         *     Needs an operator key with the role admin.
         */
        post: operations["report_leaks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show which key this is, and its role
         * @description Needs an operator key with any role.
         */
        get: operations["read_own_key"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/nodes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the processes of the last day that serve or deliver, and what they run
         * @description Needs an operator key with the role viewer, support or admin.
         */
        get: operations["list_nodes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read this document
         * @description Needs no operator key.
         */
        get: operations["read_openapi_document"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/operator-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List operator keys
         * @description Revoked ones too. The key from the settings is not stored, and not listed.
         *
         *     Needs an operator key with the role viewer, support or admin.
         */
        get: operations["list_operator_keys"];
        put?: never;
        /**
         * Create an operator key
         * @description Give each operator and each program a key of its own, with the smallest role that is enough: the audit log says which key did what.
         *
         *     Needs an operator key with the role admin.
         */
        post: operations["create_operator_key"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/operator-keys/{id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke an operator key
         * @description It is refused at once. The last live key with the role admin cannot be revoked.
         *
         *     Needs an operator key with the role admin.
         */
        post: operations["revoke_operator_key"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/organizations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all organizations
         * @description Needs an operator key with the role viewer, support or admin.
         */
        get: operations["list_organizations"];
        put?: never;
        /**
         * Create an organization
         * @description Needs an operator key with the role admin.
         */
        post: operations["create_organization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/organizations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show an organization
         * @description Needs an operator key with the role viewer, support or admin.
         */
        get: operations["read_organization"];
        put?: never;
        post?: never;
        /**
         * Delete an organization for good
         * @description Its webhook endpoints, its clients with all their tokens, and its products go with it. Only its id stays, where the audit log and events refer to it.
         *
         *     Needs an operator key with the role admin.
         */
        delete: operations["delete_organization"];
        options?: never;
        head?: never;
        /**
         * Give an organization another name
         * @description Its webhook endpoints get the event organization.updated, unless the name stays the same.
         *
         *     Needs an operator key with the role admin.
         */
        patch: operations["rename_organization"];
        trace?: never;
    };
    "/operator/organizations/{id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the members of an organization
         * @description Needs an operator key with the role viewer, support or admin.
         */
        get: operations["list_members"];
        put?: never;
        /**
         * Make a user a member of an organization
         * @description Adding a member again changes nothing.
         *
         *     Needs an operator key with the role admin.
         */
        post: operations["add_member"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/organizations/{id}/members/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a member from an organization
         * @description The user's tokens no longer reach the organization, at once.
         *
         *     Needs an operator key with the role admin.
         */
        delete: operations["remove_member"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/organizations/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a suspended organization
         * @description Events that were held meanwhile stay held; they can be recovered.
         *
         *     Needs an operator key with the role admin.
         */
        post: operations["resume_organization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/organizations/{id}/suspend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Suspend an organization
         * @description Until it is resumed, its tokens do not reach it, and its events are held.
         *
         *     Needs an operator key with the role admin.
         */
        post: operations["suspend_organization"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/organizations/{organization}/webhooks/endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the webhook endpoints of an organization
         * @description Their secrets are never shown.
         *
         *     Needs an operator key with the role viewer, support or admin.
         */
        get: operations["list_webhook_endpoints"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/organizations/{organization}/webhooks/endpoints/{id}/recover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send again what an endpoint missed since a time
         * @description Needs an operator key with the role support or admin.
         */
        post: operations["recover_events"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/organizations/{organization}/webhooks/events/{id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an event again as it was
         * @description Needs an operator key with the role support or admin.
         */
        post: operations["redeliver_event"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/organizations/{organization}/webhooks/listen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Receive the events of an organization as they happen, in the sandbox
         * @description For developers without a public address. The answer goes on until the connection is closed: one line of JSON for each event, and empty lines that keep it open. Nothing is stored or sent again.
         *
         *     Needs an operator key with the role viewer, support or admin.
         */
        get: operations["listen_to_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/registration-tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List registration tokens
         * @description Needs an operator key with the role viewer, support or admin.
         */
        get: operations["list_registration_tokens"];
        put?: never;
        /**
         * Let one client register itself
         * @description The client sends it as the bearer token of its registration, once and within a day.
         *
         *     Needs an operator key with the role admin.
         */
        post: operations["create_registration_token"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/registration-tokens/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a registration token
         * @description Needs an operator key with the role admin.
         */
        delete: operations["revoke_registration_token"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the next release: its effects, and what prevents it
         * @description Needs an operator key with the role viewer, support or admin.
         */
        get: operations["plan_release"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/release/broken": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the clients that the last release broke
         * @description They asked for the version that it removed, and were refused. A client is named if the token of a request is its own, live or expired.
         *
         *     Needs an operator key with the role viewer, support or admin.
         */
        get: operations["list_broken_clients"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/release/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the decisions about releases
         * @description Needs an operator key with the role viewer, support or admin.
         */
        get: operations["list_releases"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/release/run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Release now
         * @description The version takes effect a few seconds later. Given twice, the same call releases once.
         *
         *     Needs an operator key with the role admin.
         */
        post: operations["run_release"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/release/schedule": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decide when the next release takes effect
         * @description Needs an operator key with the role admin.
         */
        post: operations["schedule_release"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/release/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Undo the last release
         * @description The three versions before it are restored.
         *
         *     Needs an operator key with the role admin.
         */
        post: operations["undo_release"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/scopes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the scopes that clients may have
         * @description Needs an operator key with the role viewer, support or admin.
         */
        get: operations["list_scopes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find a thing by its id, its name or its address
         * @description The text is sent in the body, because addresses end up in logs. A token is found by itself; no other secret is searched for.
         *
         *     Needs an operator key with the role viewer, support or admin.
         */
        post: operations["search"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/secret-key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show which key encrypts recoverable secrets
         * @description By ids: the key itself is never sent.
         *
         *     Needs an operator key with the role viewer, support or admin.
         */
        get: operations["read_secret_key"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/secret-key/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change to the first key of DATELINE_SECRET_KEY
         * @description Stored secrets are encrypted anew. Where there are many, the call ends after a few seconds: repeat it until `former_ids` is empty. After a crash too the same call resumes. Without a new key in the setting, nothing changes.
         *
         *     Needs an operator key with the role admin.
         */
        post: operations["rotate_secret_key"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in to the console with an operator key
         * @description Sets a cookie that scripts cannot read. The session ends by signing out, after 30 minutes without use, after twelve hours, and when the key is revoked.
         *
         *     Needs no operator key.
         */
        post: operations["sign_in"];
        /**
         * Sign out of the console
         * @description Needs an operator key with any role.
         */
        delete: operations["sign_out"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/signing-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the keys that id_tokens are signed with
         * @description Private keys are never shown. The list has one page.
         *
         *     Needs an operator key with the role viewer, support or admin.
         */
        get: operations["list_signing_keys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/signing-keys/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Publish a new key for id_tokens
         * @description It signs as soon as every client can know it.
         *
         *     Needs an operator key with the role admin.
         */
        post: operations["rotate_signing_key"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/standbys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the standbys that this node reads tokens from
         * @description Needs an operator key with the role viewer, support or admin.
         */
        get: operations["list_standbys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/tokens/{id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke one token
         * @description An access token ends alone, a refresh token with its whole grant.
         *
         *     Needs an operator key with the role admin.
         */
        post: operations["revoke_token"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/tokens/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Explain whether a token is active, or why it is not
         * @description Give either token or token_id. A token is sent in the body, because addresses end up in logs.
         *
         *     Needs an operator key with the role viewer, support or admin.
         */
        post: operations["explain_token"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/tokens/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke all tokens that match
         * @description Name at least one of subject, client_id, organization_id and issued_before; a token is revoked if all of them match.
         *
         *     Needs an operator key with the role admin.
         */
        post: operations["revoke_tokens"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count requests by version, client and more
         * @description Give either from or days. What other nodes counted in the last two seconds may be missing.
         *
         *     Needs an operator key with the role viewer, support or admin.
         */
        get: operations["read_usage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/usage/at-risk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the clients that the next release breaks, or may break
         * @description Needs an operator key with the role viewer, support or admin.
         */
        get: operations["list_clients_at_risk"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all users
         * @description Needs an operator key with the role viewer, support or admin.
         */
        get: operations["list_users"];
        put?: never;
        /**
         * Create a user
         * @description The user belongs to no organization until they are made a member of one.
         *
         *     Needs an operator key with the role admin.
         */
        post: operations["create_user"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a user, and the organizations that they are a member of
         * @description Needs an operator key with the role viewer, support or admin.
         */
        get: operations["read_user"];
        put?: never;
        post?: never;
        /**
         * Delete a user for good
         * @description Their tokens are inactive at once, and their name and address are erased. Only the id stays, where the audit log and events refer to it.
         *
         *     Needs an operator key with the role admin.
         */
        delete: operations["delete_user"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/users/{id}/block": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Block a user
         * @description The user is signed out, and all their tokens are inactive at once.
         *
         *     Needs an operator key with the role admin.
         */
        post: operations["block_user"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/users/{id}/grants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the live grants of a user
         * @description Needs an operator key with the role viewer, support or admin.
         */
        get: operations["list_user_grants"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/users/{id}/password-link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a link with which a user sets a password
         * @description It can be used once. Send it to the user; whoever has it can set the password.
         *
         *     Needs an operator key with the role admin.
         */
        post: operations["create_password_link"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/users/{id}/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the browsers in which a user is signed in
         * @description Needs an operator key with the role viewer, support or admin.
         */
        get: operations["list_user_sessions"];
        put?: never;
        post?: never;
        /**
         * Sign a user out everywhere
         * @description Tokens stay as they are.
         *
         *     Needs an operator key with the role admin.
         */
        delete: operations["end_user_sessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/users/{id}/set-password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set the password of a user
         * @description The user is signed out everywhere.
         *
         *     Needs an operator key with the role admin.
         */
        post: operations["set_user_password"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/users/{id}/unblock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Unblock a user
         * @description Tokens that have not expired work as before.
         *
         *     Needs an operator key with the role admin.
         */
        post: operations["unblock_user"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/versions/{version}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show what changed in a version, and where its contract differs from the one before
         * @description Needs an operator key with the role viewer, support or admin.
         */
        get: operations["read_version_changes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/webhooks/endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the webhook endpoints of all organizations, and how deliveries to them go
         * @description Needs an operator key with the role viewer, support or admin.
         */
        get: operations["list_all_webhook_endpoints"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/webhooks/endpoints/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a webhook endpoint, and how deliveries to it go
         * @description Needs an operator key with the role viewer, support or admin.
         */
        get: operations["read_webhook_endpoint"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook endpoint
         * @description Needs an operator key with the role admin.
         */
        delete: operations["delete_webhook_endpoint"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/webhooks/endpoints/{id}/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Disable a webhook endpoint
         * @description Its events are kept. Its organization cannot enable it; an operator can let it.
         *
         *     Needs an operator key with the role support or admin.
         */
        post: operations["disable_webhook_endpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/webhooks/endpoints/{id}/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let an organization enable a disabled webhook endpoint again
         * @description Needs an operator key with the role admin.
         */
        post: operations["enable_webhook_endpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/webhooks/endpoints/{id}/recovery": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show how the last recovery of a webhook endpoint goes
         * @description Needs an operator key with the role viewer, support or admin.
         */
        get: operations["read_recovery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/webhooks/endpoints/{id}/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Let an organization enable a disabled webhook endpoint again
         * @description The former name of enable.
         *
         *     Needs an operator key with the role admin.
         */
        post: operations["release_webhook_endpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/webhooks/endpoints/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the example of a kind to a webhook endpoint
         * @description Needs an operator key with the role admin.
         */
        post: operations["send_test_event"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/webhooks/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the webhook events of all organizations
         * @description Needs an operator key with the role viewer, support or admin.
         */
        get: operations["list_all_webhook_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/webhooks/events/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a webhook event, with the body that is sent
         * @description Needs an operator key with the role viewer, support or admin.
         */
        get: operations["read_webhook_event"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/webhooks/events/{id}/attempts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the attempts to deliver an event, with what was sent and what came back
         * @description Needs an operator key with the role viewer, support or admin.
         */
        get: operations["list_webhook_attempts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/webhooks/events/{id}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show how an event would look in another version
         * @description Needs an operator key with the role viewer, support or admin.
         */
        get: operations["preview_webhook_event"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/operator/webhooks/queue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the events that wait, and the endpoints
         * @description Needs an operator key with the role viewer, support or admin.
         */
        get: operations["read_webhook_queue"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: never;
    responses: {
        /** @description The request is not well formed. */
        "400.invalid_request": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description The error in words, and what to do about it. */
                    detail: string;
                    /**
                     * @description The error code, for programs.
                     * @enum {string}
                     */
                    error: "invalid_request";
                };
            };
        };
        /** @description A valid bearer token is needed. */
        "401.unauthorized": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description The error in words, and what to do about it. */
                    detail: string;
                    /**
                     * @description The error code, for programs.
                     * @enum {string}
                     */
                    error: "unauthorized";
                };
            };
        };
        /** @description This form is out of date, or was not sent from our own page. */
        "403.form_refused": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description The error in words, and what to do about it. */
                    detail: string;
                    /**
                     * @description The error code, for programs.
                     * @enum {string}
                     */
                    error: "form_refused";
                };
            };
        };
        /** @description The operator key lacks the role that this operation needs. */
        "403.insufficient_role": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description The error in words, and what to do about it. */
                    detail: string;
                    /**
                     * @description The error code, for programs.
                     * @enum {string}
                     */
                    error: "insufficient_role";
                };
            };
        };
        /** @description This API version is not served. */
        "404.version_not_found": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description The error in words, and what to do about it. */
                    detail: string;
                    /**
                     * @description The error code, for programs.
                     * @enum {string}
                     */
                    error: "version_not_found";
                };
            };
        };
        /** @description This API version is not served. There is nothing at this address. */
        "404.version_not_found.not_found": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description The error in words, and what to do about it. */
                    detail: string;
                    /**
                     * @description The error code, for programs.
                     * @enum {string}
                     */
                    error: "version_not_found" | "not_found";
                };
            };
        };
        /** @description The request conflicts with the stored data. */
        "409.conflict": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description The error in words, and what to do about it. */
                    detail: string;
                    /**
                     * @description The error code, for programs.
                     * @enum {string}
                     */
                    error: "conflict";
                };
            };
        };
        /** @description What was sent is no longer stored. */
        "410.payload_expired": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description The error in words, and what to do about it. */
                    detail: string;
                    /**
                     * @description The error code, for programs.
                     * @enum {string}
                     */
                    error: "payload_expired";
                };
            };
        };
        /** @description The request body is too large. */
        "413.payload_too_large": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description The error in words, and what to do about it. */
                    detail: string;
                    /**
                     * @description The error code, for programs.
                     * @enum {string}
                     */
                    error: "payload_too_large";
                };
            };
        };
        /** @description The address is too long. */
        "414.uri_too_long": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description The error in words, and what to do about it. */
                    detail: string;
                    /**
                     * @description The error code, for programs.
                     * @enum {string}
                     */
                    error: "uri_too_long";
                };
            };
        };
        /** @description The request body has a media type that is not taken here. */
        "415.unsupported_media_type": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description The error in words, and what to do about it. */
                    detail: string;
                    /**
                     * @description The error code, for programs.
                     * @enum {string}
                     */
                    error: "unsupported_media_type";
                };
            };
        };
        /** @description A field has a value that is not allowed. */
        "422.validation_failed": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description The error in words, and what to do about it. */
                    detail: string;
                    /**
                     * @description The error code, for programs.
                     * @enum {string}
                     */
                    error: "validation_failed";
                };
            };
        };
        /** @description Too many failed attempts. Wait, then try again. */
        "429.too_many_requests": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description The error in words, and what to do about it. */
                    detail: string;
                    /**
                     * @description The error code, for programs.
                     * @enum {string}
                     */
                    error: "too_many_requests";
                };
            };
        };
        /** @description Something went wrong on our side. */
        "500.internal_error": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description The error in words, and what to do about it. */
                    detail: string;
                    /**
                     * @description The error code, for programs.
                     * @enum {string}
                     */
                    error: "internal_error";
                };
            };
        };
        /** @description The request took too long. Try again shortly. The database cannot be reached at the moment. Try again shortly. The service is starting. Try again shortly. This node is shutting down. Try again: another node will answer. */
        "503.timeout.storage_unavailable.starting.draining": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": {
                    /** @description The error in words, and what to do about it. */
                    detail: string;
                    /**
                     * @description The error code, for programs.
                     * @enum {string}
                     */
                    error: "timeout" | "storage_unavailable" | "starting" | "draining";
                };
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    list_audit: {
        parameters: {
            query?: {
                /** @description Only this action, such as grant.revoked. */
                action?: string;
                /** @description Only what this actor did: the id of an operator key, a client or a user, configured, or system. */
                actor?: string;
                /** @description Only what concerns this client. */
                client_id?: string;
                /** @description The next_cursor of the page before; empty or left out for the first page. */
                cursor?: string;
                /** @description Only what concerns this grant. */
                grant_id?: string;
                /** @description How many items at most; 50 by default. */
                limit?: number;
                /** @description Only what concerns this organization. */
                organization_id?: string;
                /** @description From this time on, such as 2027-01-06T17:00:00Z. */
                since?: string;
                /** @description Only what concerns this token. */
                token_id?: string;
                /** @description Before this time. */
                until?: string;
                /** @description Only what concerns this user. */
                user_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entries, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The items of this page. */
                        items: {
                            /** @description A thing and what was done to it, such as grant.revoked. */
                            action: string;
                            /** @description Who did it: the id of an operator key (configured for the key from the settings), a client or a user; null for the system. */
                            actor_id: string | null;
                            /** @description The name of that key, client or user now; null for the system, and for one that is gone. */
                            actor_name: string | null;
                            /**
                             * @description What kind of actor did it.
                             * @enum {string}
                             */
                            actor_type: "operator" | "client" | "user" | "system";
                            /**
                             * Format: date-time
                             * @description When it was done.
                             */
                            at: string;
                            /** @description The client that it concerns. */
                            client_id: string | null;
                            /** @description Its name now; null if it is gone. */
                            client_name: string | null;
                            /** @description Further details; they depend on the action. */
                            details: {
                                [key: string]: unknown;
                            };
                            /** @description The grant that it concerns. */
                            grant_id: string | null;
                            /** @description Begins with aud_. */
                            id: string;
                            /** @description The organization that it concerns. */
                            organization_id: string | null;
                            /** @description Its name now; null if it is gone. */
                            organization_name: string | null;
                            /** @description Why it was done. */
                            reason: string | null;
                            /** @description The token that it concerns. */
                            token_id: string | null;
                            /** @description The user that it concerns. */
                            user_id: string | null;
                            /** @description Its name now; null if it is gone. */
                            user_name: string | null;
                        }[];
                        /** @description The next page. */
                        pagination: {
                            /** @description The cursor of the next page; null on the last one. */
                            next_cursor: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    make_backup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The bytes of the backup. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found"];
            409: components["responses"]["409.conflict"];
            413: components["responses"]["413.payload_too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    list_clients: {
        parameters: {
            query?: {
                /** @description The next_cursor of the page before; empty or left out for the first page. */
                cursor?: string;
                /** @description How many items at most; 50 by default. */
                limit?: number;
                /** @description Only the clients of this organization. */
                organization_id?: string;
                /** @description A part of a name or an address, or an id. */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of clients, oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The items of this page. */
                        items: {
                            /** @description Of a resource server: the aud of the tokens that are meant for it. */
                            audiences: string[];
                            /**
                             * Format: date-time
                             * @description When it was created.
                             */
                            created_at: string;
                            /** @description Since when it is disabled; null if it is not. */
                            disabled_at: string | null;
                            /** @description How it may get tokens. */
                            grant_types: string[];
                            /** @description Begins with cli_. */
                            id: string;
                            /**
                             * @description The algorithm that signs its id_tokens.
                             * @enum {string}
                             */
                            id_token_signed_response_alg: "ES256" | "RS256";
                            /**
                             * @description confidential: keeps a secret; public: cannot; resource_server: introspects the tokens it receives.
                             * @enum {string}
                             */
                            kind: "confidential" | "public" | "resource_server";
                            /** @description Its last request of the last 7 days that failed; null if none did. One that only named it, with a wrong secret, counts too. What failed in the last two seconds may be missing. */
                            last_failure: {
                                /**
                                 * Format: date-time
                                 * @description When it ended.
                                 */
                                at: string;
                                /** @description The code of the error; null if there is none. */
                                code: string | null;
                                /** @description The operation; null if none matched. */
                                operation: string | null;
                                /** @description The status; 499 if the caller had gone. */
                                status: number;
                            } | null;
                            /** @description The name that users see on the consent page. */
                            name: string;
                            /** @description The organization that it belongs to. */
                            organization_id: string;
                            /** @description The name of that organization; null if it is gone. */
                            organization_name: string | null;
                            /** @description Where people may be sent back to. */
                            redirect_uris: string[];
                            /** @description Whether it must use PKCE to get a code. */
                            require_pkce: boolean;
                            /** @description What its tokens may be allowed to do. */
                            scopes: string[];
                        }[];
                        /** @description The next page. */
                        pagination: {
                            /** @description The cursor of the next page; null on the last one. */
                            next_cursor: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found.not_found"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    create_client: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Of a resource server: the aud of the tokens that are meant for it. */
                    audiences?: string[];
                    /** @description How it may get tokens; if left out, what is usual for its kind. */
                    grant_types?: ("authorization_code" | "refresh_token" | "client_credentials")[];
                    /**
                     * @description The algorithm that signs its id_tokens; ES256 if left out.
                     * @enum {string}
                     */
                    id_token_signed_response_alg?: "ES256" | "RS256";
                    /**
                     * @description confidential: keeps a secret; public: cannot; resource_server: introspects the tokens it receives.
                     * @enum {string}
                     */
                    kind: "confidential" | "public" | "resource_server";
                    /** @description The name that users see on the consent page. */
                    name: string;
                    /** @description The organization that it belongs to. */
                    organization_id: string;
                    /** @description Where people may be sent back to; compared character by character. */
                    redirect_uris?: string[];
                    /** @description False lets a client with a secret get codes without PKCE; true if left out. */
                    require_pkce?: boolean;
                    /** @description What its tokens may be allowed to do; if left out, everything, and nothing for a resource server. */
                    scopes?: ("openid" | "profile" | "email" | "products:read" | "products:write" | "webhooks:read" | "webhooks:write" | "organizations:read" | "grants:manage" | "offline_access")[];
                };
            };
        };
        responses: {
            /** @description The new client; this is the only answer that shows its secret. A public client has none. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Of a resource server: the aud of the tokens that are meant for it. */
                        audiences: string[];
                        /** @description The secret itself. It is shown only in this answer. */
                        client_secret?: string;
                        /**
                         * Format: date-time
                         * @description When it was created.
                         */
                        created_at: string;
                        /** @description Since when it is disabled; null if it is not. */
                        disabled_at: string | null;
                        /** @description How it may get tokens. */
                        grant_types: string[];
                        /** @description Begins with cli_. */
                        id: string;
                        /**
                         * @description The algorithm that signs its id_tokens.
                         * @enum {string}
                         */
                        id_token_signed_response_alg: "ES256" | "RS256";
                        /**
                         * @description confidential: keeps a secret; public: cannot; resource_server: introspects the tokens it receives.
                         * @enum {string}
                         */
                        kind: "confidential" | "public" | "resource_server";
                        /** @description The name that users see on the consent page. */
                        name: string;
                        /** @description The organization that it belongs to. */
                        organization_id: string;
                        /** @description The name of that organization; null if it is gone. */
                        organization_name: string | null;
                        /** @description Where people may be sent back to. */
                        redirect_uris: string[];
                        /** @description Whether it must use PKCE to get a code. */
                        require_pkce: boolean;
                        /** @description What its tokens may be allowed to do. */
                        scopes: string[];
                        /** @description The id of the new secret; begins with sec_. */
                        secret_id?: string;
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found.not_found"];
            409: components["responses"]["409.conflict"];
            413: components["responses"]["413.payload_too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    read_client: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the client. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The client. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Of a resource server: the aud of the tokens that are meant for it. */
                        audiences: string[];
                        /**
                         * Format: date-time
                         * @description When it was created.
                         */
                        created_at: string;
                        /** @description Since when it is disabled; null if it is not. */
                        disabled_at: string | null;
                        /** @description How it may get tokens. */
                        grant_types: string[];
                        /** @description Begins with cli_. */
                        id: string;
                        /**
                         * @description The algorithm that signs its id_tokens.
                         * @enum {string}
                         */
                        id_token_signed_response_alg: "ES256" | "RS256";
                        /**
                         * @description confidential: keeps a secret; public: cannot; resource_server: introspects the tokens it receives.
                         * @enum {string}
                         */
                        kind: "confidential" | "public" | "resource_server";
                        /** @description What an operator has set, and its own registration cannot exceed. */
                        limits: {
                            /** @description How it may get tokens at most; null for no limit. */
                            grant_types: string[] | null;
                            /** @description The name that it has to keep; null if it may choose one. */
                            name: string | null;
                            /** @description Where people may be sent back to at most; null for no limit. */
                            redirect_uris: string[] | null;
                            /** @description True if PKCE has to stay required; false or null if the client may choose. */
                            require_pkce: boolean | null;
                            /** @description What its tokens may be allowed to do at most; null for no limit. */
                            scopes: string[] | null;
                        };
                        /** @description The name that users see on the consent page. */
                        name: string;
                        /** @description The organization that it belongs to. */
                        organization_id: string;
                        /** @description The name of that organization; null if it is gone. */
                        organization_name: string | null;
                        /** @description Where people may be sent back to. */
                        redirect_uris: string[];
                        /** @description Whether it must use PKCE to get a code. */
                        require_pkce: boolean;
                        /** @description What its tokens may be allowed to do. */
                        scopes: string[];
                        /** @description Its live secrets, by id: never their values. */
                        secrets: {
                            /**
                             * Format: date-time
                             * @description When it was made.
                             */
                            created_at: string;
                            /** @description Begins with sec_. */
                            id: string;
                            /** @description When it was last used, to the minute; null if it never was. */
                            last_used_at: string | null;
                        }[];
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found.not_found"];
            414: components["responses"]["414.uri_too_long"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    delete_client: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the client. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The client is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found.not_found"];
            413: components["responses"]["413.payload_too_large"];
            414: components["responses"]["414.uri_too_long"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    change_client: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the client. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Of a resource server: the aud of the tokens that are meant for it. */
                    audiences?: string[];
                    /** @description How it may get tokens; if left out, what is usual for its kind. */
                    grant_types?: ("authorization_code" | "refresh_token" | "client_credentials")[];
                    /**
                     * @description The algorithm that signs its id_tokens; ES256 if left out.
                     * @enum {string}
                     */
                    id_token_signed_response_alg?: "ES256" | "RS256";
                    /** @description Null lifts what was set before: the client may change all of its registration again. */
                    limits?: null;
                    /** @description The name that users see on the consent page. */
                    name?: string;
                    /** @description Where people may be sent back to; compared character by character. */
                    redirect_uris?: string[];
                    /** @description False lets a client with a secret get codes without PKCE; true if left out. */
                    require_pkce?: boolean;
                    /** @description What its tokens may be allowed to do; if left out, everything, and nothing for a resource server. */
                    scopes?: ("openid" | "profile" | "email" | "products:read" | "products:write" | "webhooks:read" | "webhooks:write" | "organizations:read" | "grants:manage" | "offline_access")[];
                };
            };
        };
        responses: {
            /** @description The changed client. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Of a resource server: the aud of the tokens that are meant for it. */
                        audiences: string[];
                        /**
                         * Format: date-time
                         * @description When it was created.
                         */
                        created_at: string;
                        /** @description Since when it is disabled; null if it is not. */
                        disabled_at: string | null;
                        /** @description How it may get tokens. */
                        grant_types: string[];
                        /** @description Begins with cli_. */
                        id: string;
                        /**
                         * @description The algorithm that signs its id_tokens.
                         * @enum {string}
                         */
                        id_token_signed_response_alg: "ES256" | "RS256";
                        /**
                         * @description confidential: keeps a secret; public: cannot; resource_server: introspects the tokens it receives.
                         * @enum {string}
                         */
                        kind: "confidential" | "public" | "resource_server";
                        /** @description The name that users see on the consent page. */
                        name: string;
                        /** @description The organization that it belongs to. */
                        organization_id: string;
                        /** @description The name of that organization; null if it is gone. */
                        organization_name: string | null;
                        /** @description Where people may be sent back to. */
                        redirect_uris: string[];
                        /** @description Whether it must use PKCE to get a code. */
                        require_pkce: boolean;
                        /** @description What its tokens may be allowed to do. */
                        scopes: string[];
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found.not_found"];
            409: components["responses"]["409.conflict"];
            413: components["responses"]["413.payload_too_large"];
            414: components["responses"]["414.uri_too_long"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    disable_client: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the client. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Why, for the audit log. A key with the role support must give it. */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description The disabled client. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Of a resource server: the aud of the tokens that are meant for it. */
                        audiences: string[];
                        /**
                         * Format: date-time
                         * @description When it was created.
                         */
                        created_at: string;
                        /** @description Since when it is disabled; null if it is not. */
                        disabled_at: string | null;
                        /** @description How it may get tokens. */
                        grant_types: string[];
                        /** @description Begins with cli_. */
                        id: string;
                        /**
                         * @description The algorithm that signs its id_tokens.
                         * @enum {string}
                         */
                        id_token_signed_response_alg: "ES256" | "RS256";
                        /**
                         * @description confidential: keeps a secret; public: cannot; resource_server: introspects the tokens it receives.
                         * @enum {string}
                         */
                        kind: "confidential" | "public" | "resource_server";
                        /** @description The name that users see on the consent page. */
                        name: string;
                        /** @description The organization that it belongs to. */
                        organization_id: string;
                        /** @description The name of that organization; null if it is gone. */
                        organization_name: string | null;
                        /** @description Where people may be sent back to. */
                        redirect_uris: string[];
                        /** @description Whether it must use PKCE to get a code. */
                        require_pkce: boolean;
                        /** @description What its tokens may be allowed to do. */
                        scopes: string[];
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found.not_found"];
            413: components["responses"]["413.payload_too_large"];
            414: components["responses"]["414.uri_too_long"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    enable_client: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the client. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The client. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Of a resource server: the aud of the tokens that are meant for it. */
                        audiences: string[];
                        /**
                         * Format: date-time
                         * @description When it was created.
                         */
                        created_at: string;
                        /** @description Since when it is disabled; null if it is not. */
                        disabled_at: string | null;
                        /** @description How it may get tokens. */
                        grant_types: string[];
                        /** @description Begins with cli_. */
                        id: string;
                        /**
                         * @description The algorithm that signs its id_tokens.
                         * @enum {string}
                         */
                        id_token_signed_response_alg: "ES256" | "RS256";
                        /**
                         * @description confidential: keeps a secret; public: cannot; resource_server: introspects the tokens it receives.
                         * @enum {string}
                         */
                        kind: "confidential" | "public" | "resource_server";
                        /** @description The name that users see on the consent page. */
                        name: string;
                        /** @description The organization that it belongs to. */
                        organization_id: string;
                        /** @description The name of that organization; null if it is gone. */
                        organization_name: string | null;
                        /** @description Where people may be sent back to. */
                        redirect_uris: string[];
                        /** @description Whether it must use PKCE to get a code. */
                        require_pkce: boolean;
                        /** @description What its tokens may be allowed to do. */
                        scopes: string[];
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found.not_found"];
            413: components["responses"]["413.payload_too_large"];
            414: components["responses"]["414.uri_too_long"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    list_client_grants: {
        parameters: {
            query?: {
                /** @description The next_cursor of the page before; empty or left out for the first page. */
                cursor?: string;
                /** @description How many items at most; 50 by default. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description The id of the client. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of grants, oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The items of this page. */
                        items: {
                            /** @description The client that may act. */
                            client_id: string;
                            /** @description Its name. */
                            client_name: string;
                            /**
                             * Format: date-time
                             * @description Since when.
                             */
                            created_at: string;
                            /**
                             * Format: date-time
                             * @description When it ends at the latest.
                             */
                            expires_at: string;
                            /** @description Begins with gra_. */
                            id: string;
                            /** @description Where. */
                            organization_ids: string[];
                            /** @description Their names, in the same order. */
                            organization_names: (string | null)[];
                            /** @description What it may do. */
                            scopes: string[];
                            /** @description The user that has allowed it; null for a client's own. */
                            user_id: string | null;
                            /** @description The name of the user now; null if there is none. */
                            user_name: string | null;
                        }[];
                        /** @description The next page. */
                        pagination: {
                            /** @description The cursor of the next page; null on the last one. */
                            next_cursor: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found.not_found"];
            414: components["responses"]["414.uri_too_long"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    rotate_client_secret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the client. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The new secret; this is the only answer that shows it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The client. */
                        client_id: string;
                        /** @description The secret itself. It is shown only in this answer. */
                        client_secret: string;
                        /** @description Older secrets that this revoked: at most two are live. */
                        revoked_secret_ids: string[];
                        /** @description The id of the new secret; begins with sec_. */
                        secret_id: string;
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found.not_found"];
            409: components["responses"]["409.conflict"];
            413: components["responses"]["413.payload_too_large"];
            414: components["responses"]["414.uri_too_long"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    revoke_client_secret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the client. */
                id: string;
                /** @description The id of the secret. */
                secret_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The secret is revoked. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The client. */
                        client_id: string;
                        /**
                         * @description It is revoked.
                         * @constant
                         */
                        revoked: true;
                        /** @description The secret that was revoked. */
                        secret_id: string;
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found.not_found"];
            413: components["responses"]["413.payload_too_large"];
            414: components["responses"]["414.uri_too_long"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    read_reference_page: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page for people. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            400: components["responses"]["400.invalid_request"];
            404: components["responses"]["404.version_not_found"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    examine_service: {
        parameters: {
            query?: {
                /** @description Look at all that must be settled before the service goes live. */
                before?: "production";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was found, all on one page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The items of this page. */
                        items: {
                            /**
                             * @description The subject of the check.
                             * @enum {string}
                             */
                            check: "database" | "clock" | "keys" | "addresses" | "backups" | "deliveries" | "nodes" | "standbys" | "upstream" | "secret-key" | "operator-keys" | "secret-files" | "public-address" | "operator-port" | "proxies" | "retention" | "log-level" | "runtime" | "disk" | "server" | "database-tls" | "connections" | "role" | "durability" | "archiving" | "statistics" | "vacuum";
                            /** @description The finding, and what to do about it. */
                            message: string;
                            /**
                             * @deprecated
                             * @description The former name of message; it goes when 2027-01 is Current.
                             */
                            says: string;
                            /**
                             * @description A warning can wait; a problem cannot.
                             * @enum {string}
                             */
                            state: "ok" | "warning" | "problem";
                        }[];
                        /** @description The next page. */
                        pagination: {
                            /** @description The cursor of the next page; null on the last one. */
                            next_cursor: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    publish_events: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Check only, and publish nothing. */
                    dry_run?: boolean;
                    /** @description The events, in the order in which they are to be sent. */
                    events: {
                        /** @description Its data, in the newest version of your API; at most 256 KiB. Endpoints get it in their own version. */
                        data: Record<string, never>;
                        /** @description Your own id of the event, unique in its organization. The same event under the same id is published once, however often it is sent. */
                        id: string;
                        /** @description When it happened, such as 2027-01-06T17:00:00Z: now, unless said otherwise. */
                        occurred_at?: string;
                        /** @description The organization whose webhook endpoints get it. */
                        organization_id: string;
                        /** @description Its kind: one that your API publishes. */
                        type: string;
                    }[];
                };
            };
        };
        responses: {
            /** @description The result for each event. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Nothing was published, only checked. */
                        dry_run: boolean;
                        /** @description In the order of the request. */
                        events: {
                            /** @description It was published before, or stands earlier in this batch. */
                            already: boolean;
                            /** @description Your id. */
                            id: string;
                            /** @description Our id; null in a dry run, for what was not published before. */
                            occurrence_id: string | null;
                        }[];
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found"];
            409: components["responses"]["409.conflict"];
            413: components["responses"]["413.payload_too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    list_failed_requests: {
        parameters: {
            query?: {
                /** @description Only those of this client. */
                client_id?: string;
                /** @description Only those with this code. */
                code?: string;
                /** @description The next_cursor of the page before; empty or left out for the first page. */
                cursor?: string;
                /** @description How many items at most; 50 by default. */
                limit?: number;
                /** @description Only those of this operation. */
                operation?: string;
                /** @description The one with this X-Request-Id. */
                request_id?: string;
                /** @description Only those that asked for this version. */
                requested_version?: string;
                /** @description From this time on, such as 2027-01-06T17:00:00Z. */
                since?: string;
                /** @description Before this time. */
                until?: string;
                /** @description Only those in this version. */
                version?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of requests, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The items of this page. */
                        items: {
                            /**
                             * Format: date-time
                             * @description When it ended.
                             */
                            at: string;
                            /** @description The client. If none was authenticated: the one whose token a request for a version that is not served came with, or that a failed authentication named; null if there is none. */
                            client_id: string | null;
                            /** @description Its name now; null if it is gone. */
                            client_name: string | null;
                            /** @description The code of the error; null if there is none. */
                            code: string | null;
                            /** @description How long it took. */
                            duration_ms: number;
                            /** @description Begins with frq_. */
                            id: string;
                            /** @description Its method. */
                            method: string;
                            /** @description The operation; null if none matched. */
                            operation: string | null;
                            /** @description The X-Request-Id of the answer. */
                            request_id: string;
                            /** @description The version that it asked for; null if it named none, or no text that could be one. */
                            requested_version: string | null;
                            /** @description The pattern of its address. */
                            route: string;
                            /** @description The status; 499 if the caller had gone. */
                            status: number;
                            /** @description The version that processed it; Current if the one that it asked for is not served. */
                            version: string;
                        }[];
                        /** @description The next page. */
                        pagination: {
                            /** @description The cursor of the next page; null on the last one. */
                            next_cursor: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    group_failed_requests: {
        parameters: {
            query?: {
                /** @description Only those of this client. */
                client_id?: string;
                /** @description How many days back, today among them, in UTC; 7 by default. */
                days?: number;
                /** @description Only those that asked for this version. */
                requested_version?: string;
                /** @description From this time on, such as 2027-01-06T17:00:00Z. */
                since?: string;
                /** @description Before this time. */
                until?: string;
                /** @description Only those in this version. */
                version?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Most frequent first. */
                        items: {
                            /** @description The client. If none was authenticated: the one whose token a request for a version that is not served came with, or that a failed authentication named; null if there is none. */
                            client_id: string | null;
                            /** @description Its name now; null if it is gone. */
                            client_name: string | null;
                            /** @description The code of the error; null if there is none. */
                            code: string | null;
                            /**
                             * Format: date-time
                             * @description When the last one ended.
                             */
                            last_at: string;
                            /** @description The operation; null if none matched. */
                            operation: string | null;
                            /** @description The version that it asked for; null if it named none, or no text that could be one. */
                            requested_version: string | null;
                            /** @description How many. */
                            requests: number;
                            /** @description The status; 499 if the caller had gone. */
                            status: number;
                            /** @description The version that processed it; Current if the one that it asked for is not served. */
                            version: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    revoke_grant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the grant. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Why, for the audit log. */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description It has ended. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found.not_found"];
            413: components["responses"]["413.payload_too_large"];
            414: components["responses"]["414.uri_too_long"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    list_grant_tokens: {
        parameters: {
            query?: {
                /** @description The next_cursor of the page before; empty or left out for the first page. */
                cursor?: string;
                /** @description How many items at most; 50 by default. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description The id of the grant. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of tokens, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The items of this page. */
                        items: {
                            /** @description Its audience. */
                            aud: string;
                            /** @description The client that it was issued to. */
                            client_id: string;
                            /** @description Its name now; null if it is gone. */
                            client_name: string | null;
                            /**
                             * Format: date-time
                             * @description When it expires.
                             */
                            expires_at: string;
                            /** @description The grant that it was issued under. */
                            grant_id: string;
                            /** @description Begins with tok_. */
                            id: string;
                            /**
                             * Format: date-time
                             * @description When it was issued.
                             */
                            issued_at: string;
                            /** @description Their names, in the same order. */
                            organization_names: (string | null)[];
                            /** @description The organizations that it reaches. */
                            organizations: string[];
                            /**
                             * @description Whether it is active, or how it ended first.
                             * @enum {string}
                             */
                            state: "expired" | "used" | "revoked" | "grant_revoked" | "cut_by_grant" | "cut_by_client" | "client_disabled" | "client_deleted" | "user_blocked" | "organization_suspended" | "active";
                            /** @description The id of the user or organization that it acts for. */
                            sub: string;
                            /** @description Its name now; null if it is gone. */
                            sub_name: string | null;
                            /**
                             * @description The kind of its subject.
                             * @enum {string}
                             */
                            sub_type: "user" | "organization";
                            /**
                             * @description Which kind of token it is.
                             * @enum {string}
                             */
                            token_type: "access_token" | "refresh_token";
                        }[];
                        /** @description The next page. */
                        pagination: {
                            /** @description The cursor of the next page; null on the last one. */
                            next_cursor: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found.not_found"];
            414: components["responses"]["414.uri_too_long"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    report_leaks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Further text for the audit log. */
                    note?: string;
                    /** @description Where they were found. */
                    source: string;
                    /** @description What was found: tokens, codes, client secrets, operator keys. Text that is none of them is unknown. */
                    tokens: string[];
                };
            };
        };
        responses: {
            /** @description What happened to each. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description In the order of the request. The secrets themselves are not repeated. */
                        results: {
                            /** @description The client that it belongs to. */
                            client_id: string | null;
                            /** @description Its name now; null if it is gone. */
                            client_name: string | null;
                            /** @description The grant that it belongs to. */
                            grant_id: string | null;
                            /** @description What it is; null if it is unknown. */
                            kind: ("access_token" | "refresh_token" | "authorization_code" | "client_secret" | "registration_access_token" | "operator_key") | null;
                            /**
                             * @description What happened to it. Kept: the last operator key with the role admin, without which no other could be created.
                             * @enum {string}
                             */
                            outcome: "revoked" | "dead_already" | "kept" | "unknown";
                            /** @description The token that it is. */
                            token_id: string | null;
                        }[];
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found"];
            413: components["responses"]["413.payload_too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    read_own_key: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key that the request was sent with. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description In a session of the console: the X-CSRF-Token of every request that changes something. Null for a key. */
                        csrf_token: string | null;
                        /** @description The id of the key; configured for the one from the settings. */
                        id: string;
                        /** @description Who or what uses the key. */
                        name: string;
                        /**
                         * @description admin: everything; viewer: reading; support: reading, sending events again, and disabling clients and webhook endpoints with a reason; publisher: publishing events, and nothing else.
                         * @enum {string}
                         */
                        role: "admin" | "viewer" | "support" | "publisher";
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            404: components["responses"]["404.version_not_found"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    list_nodes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The nodes, all on one page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The items of this page. */
                        items: {
                            /** @description What it runs: its build, Node, and the hashes of its contracts; null for an older build. */
                            build: {
                                [key: string]: unknown;
                            } | null;
                            /** @description The same for nodes that run the same; null for an older build. */
                            build_id: string | null;
                            /** @description The id in its data folder, which the audit log names when a backup was restored; null for workers, and where the folder cannot be read. */
                            data_folder_id: string | null;
                            /** @description It delivers webhooks: a worker, or a serving node unless DATELINE_DELIVER is off. Null for an older build. */
                            delivers: boolean | null;
                            /** @description The id of the process, which a start makes anew; for an older build, that of its data folder. */
                            id: string;
                            /**
                             * @description dateline serve answers requests; dateline worker delivers webhooks only.
                             * @enum {string}
                             */
                            kind: "serve" | "worker";
                            /** @description Its state is live. */
                            live: boolean;
                            /** @description The machine and the number of the process; for an older build, its id. */
                            name: string;
                            /** @description The standbys that it holds a lease for, to read tokens from: whoever ends access waits for it. */
                            reads_from: string[];
                            /**
                             * Format: date-time
                             * @description Its last sign: when it last wrote into the database.
                             */
                            seen_at: string;
                            /** @description When it was started; null for an older build. */
                            started_at: string | null;
                            /**
                             * @description live: it has left a sign in the last seconds. stopped: it has said that it ends. gone: neither; it was killed, hangs, or cannot reach the database.
                             * @enum {string}
                             */
                            state: "live" | "gone" | "stopped";
                            /** @description When it ended; null unless it has said so. */
                            stopped_at: string | null;
                        }[];
                        /** @description The next page. */
                        pagination: {
                            /** @description The cursor of the next page; null on the last one. */
                            next_cursor: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    read_openapi_document: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An OpenAPI 3.1 document. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            404: components["responses"]["404.version_not_found"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    list_operator_keys: {
        parameters: {
            query?: {
                /** @description The next_cursor of the page before; empty or left out for the first page. */
                cursor?: string;
                /** @description How many items at most; 50 by default. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of keys, oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The items of this page. */
                        items: {
                            /**
                             * Format: date-time
                             * @description When the key was created.
                             */
                            created_at: string;
                            /** @description Begins with opk_. The audit log names the key by it. */
                            id: string;
                            /** @description When it was last used, to the minute; null if it never was. */
                            last_used_at: string | null;
                            /** @description Who or what uses the key. */
                            name: string;
                            /** @description Since when it is no longer accepted; null for a live key. */
                            revoked_at: string | null;
                            /**
                             * @description admin: everything; viewer: reading; support: reading, sending events again, and disabling clients and webhook endpoints with a reason; publisher: publishing events, and nothing else.
                             * @enum {string}
                             */
                            role: "admin" | "viewer" | "support" | "publisher";
                        }[];
                        /** @description The next page. */
                        pagination: {
                            /** @description The cursor of the next page; null on the last one. */
                            next_cursor: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    create_operator_key: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Who or what will use the key. */
                    name: string;
                    /**
                     * @description What the key may do. admin: everything; viewer: reading; support: reading, sending events again, and disabling clients and webhook endpoints with a reason; publisher: publishing events, and nothing else. By default admin.
                     * @enum {string}
                     */
                    role?: "admin" | "viewer" | "support" | "publisher";
                };
            };
        };
        responses: {
            /** @description The new key; this is the only answer that shows it. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: date-time
                         * @description When the key was created.
                         */
                        created_at: string;
                        /** @description Begins with opk_. The audit log names the key by it. */
                        id: string;
                        /** @description When it was last used, to the minute; null if it never was. */
                        last_used_at: string | null;
                        /** @description Who or what uses the key. */
                        name: string;
                        /** @description The key itself. It is shown only in this answer. */
                        operator_key: string;
                        /** @description Since when it is no longer accepted; null for a live key. */
                        revoked_at: string | null;
                        /**
                         * @description admin: everything; viewer: reading; support: reading, sending events again, and disabling clients and webhook endpoints with a reason; publisher: publishing events, and nothing else.
                         * @enum {string}
                         */
                        role: "admin" | "viewer" | "support" | "publisher";
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found"];
            413: components["responses"]["413.payload_too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    revoke_operator_key: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the operator key. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The revoked key. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: date-time
                         * @description When the key was created.
                         */
                        created_at: string;
                        /** @description Begins with opk_. The audit log names the key by it. */
                        id: string;
                        /** @description When it was last used, to the minute; null if it never was. */
                        last_used_at: string | null;
                        /** @description Who or what uses the key. */
                        name: string;
                        /** @description Since when it is no longer accepted; null for a live key. */
                        revoked_at: string | null;
                        /**
                         * @description admin: everything; viewer: reading; support: reading, sending events again, and disabling clients and webhook endpoints with a reason; publisher: publishing events, and nothing else.
                         * @enum {string}
                         */
                        role: "admin" | "viewer" | "support" | "publisher";
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found.not_found"];
            409: components["responses"]["409.conflict"];
            413: components["responses"]["413.payload_too_large"];
            414: components["responses"]["414.uri_too_long"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    list_organizations: {
        parameters: {
            query?: {
                /** @description The next_cursor of the page before; empty or left out for the first page. */
                cursor?: string;
                /** @description How many items at most; 50 by default. */
                limit?: number;
                /** @description A part of a name or an address, or an id. */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of organizations, oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The items of this page. */
                        items: {
                            /**
                             * Format: date-time
                             * @description When it was created.
                             */
                            created_at: string;
                            /** @description Begins with org_. */
                            id: string;
                            /** @description Its name. */
                            name: string;
                            /** @description Since when it is suspended; null if it is not. */
                            suspended_at: string | null;
                        }[];
                        /** @description The next page. */
                        pagination: {
                            /** @description The cursor of the next page; null on the last one. */
                            next_cursor: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    create_organization: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Its name. */
                    name: string;
                };
            };
        };
        responses: {
            /** @description The new organization. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: date-time
                         * @description When it was created.
                         */
                        created_at: string;
                        /** @description Begins with org_. */
                        id: string;
                        /** @description Its name. */
                        name: string;
                        /** @description Since when it is suspended; null if it is not. */
                        suspended_at: string | null;
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found"];
            413: components["responses"]["413.payload_too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    read_organization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the organization. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The organization. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: date-time
                         * @description When it was created.
                         */
                        created_at: string;
                        /** @description Begins with org_. */
                        id: string;
                        /** @description Its name. */
                        name: string;
                        /** @description Since when it is suspended; null if it is not. */
                        suspended_at: string | null;
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found.not_found"];
            414: components["responses"]["414.uri_too_long"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    delete_organization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the organization. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The organization is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found.not_found"];
            413: components["responses"]["413.payload_too_large"];
            414: components["responses"]["414.uri_too_long"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    rename_organization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the organization. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Its name. */
                    name: string;
                };
            };
        };
        responses: {
            /** @description The organization under its new name. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: date-time
                         * @description When it was created.
                         */
                        created_at: string;
                        /** @description Begins with org_. */
                        id: string;
                        /** @description Its name. */
                        name: string;
                        /** @description Since when it is suspended; null if it is not. */
                        suspended_at: string | null;
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found.not_found"];
            413: components["responses"]["413.payload_too_large"];
            414: components["responses"]["414.uri_too_long"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    list_members: {
        parameters: {
            query?: {
                /** @description The next_cursor of the page before; empty or left out for the first page. */
                cursor?: string;
                /** @description How many items at most; 50 by default. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description The id of the organization. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of members. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The items of this page. */
                        items: {
                            /**
                             * Format: date-time
                             * @description Since when the user is a member.
                             */
                            created_at: string;
                            /** @description The email address that the member signs in with. */
                            email: string;
                            /** @description The name of the member. */
                            name: string;
                            /** @description The organization. */
                            organization_id: string;
                            /** @description The member. */
                            user_id: string;
                        }[];
                        /** @description The next page. */
                        pagination: {
                            /** @description The cursor of the next page; null on the last one. */
                            next_cursor: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found.not_found"];
            414: components["responses"]["414.uri_too_long"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    add_member: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the organization. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The id of the user who becomes a member. */
                    user_id: string;
                };
            };
        };
        responses: {
            /** @description The membership. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: date-time
                         * @description Since when the user is a member.
                         */
                        created_at: string;
                        /** @description The organization. */
                        organization_id: string;
                        /** @description The member. */
                        user_id: string;
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found.not_found"];
            413: components["responses"]["413.payload_too_large"];
            414: components["responses"]["414.uri_too_long"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    remove_member: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the organization. */
                id: string;
                /** @description The id of the user. */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user is no longer a member. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found.not_found"];
            413: components["responses"]["413.payload_too_large"];
            414: components["responses"]["414.uri_too_long"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    resume_organization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the organization. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The organization, no longer suspended. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: date-time
                         * @description When it was created.
                         */
                        created_at: string;
                        /** @description Begins with org_. */
                        id: string;
                        /** @description Its name. */
                        name: string;
                        /** @description Since when it is suspended; null if it is not. */
                        suspended_at: string | null;
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found.not_found"];
            413: components["responses"]["413.payload_too_large"];
            414: components["responses"]["414.uri_too_long"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    suspend_organization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the organization. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The organization, suspended. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: date-time
                         * @description When it was created.
                         */
                        created_at: string;
                        /** @description Begins with org_. */
                        id: string;
                        /** @description Its name. */
                        name: string;
                        /** @description Since when it is suspended; null if it is not. */
                        suspended_at: string | null;
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found.not_found"];
            413: components["responses"]["413.payload_too_large"];
            414: components["responses"]["414.uri_too_long"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    list_webhook_endpoints: {
        parameters: {
            query?: {
                /** @description The next_cursor of the page before; empty or left out for the first page. */
                cursor?: string;
                /** @description How many items at most; 50 by default. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description The id of the organization. */
                organization: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of endpoints, oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The items of this page. */
                        items: {
                            /** @description The version that its events have. */
                            api_version: string;
                            /**
                             * Format: date-time
                             * @description When it was created.
                             */
                            created_at: string;
                            /** @description Who made it; null where that is not known. */
                            created_by: {
                                /** @description The client that made it. */
                                client_id: string;
                                /** @description Its name now; null if it is gone. */
                                client_name: string | null;
                                /** @description The user whose token it was; null for a token of the client itself. */
                                user_id: string | null;
                                /** @description The name of the user now; null if there is none. */
                                user_name: string | null;
                            } | null;
                            /** @description The description that its owner gave it. */
                            description: string | null;
                            /** @description Why not; null while it is enabled. */
                            disabled_reason: ("owner" | "gone" | "failing" | "access_ended" | "operator") | null;
                            /** @description Whether events are sent. */
                            enabled: boolean;
                            /** @description The kinds that it receives. */
                            events: string[];
                            /** @description How they are written: raw JSON, or a message for Slack or Discord. */
                            format: "raw" | "slack" | "discord";
                            /** @description Begins with whe_. */
                            id: string;
                            /** @description How many events a second it takes at most; null for no bound of its own. */
                            max_per_second: number | null;
                            /**
                             * Format: date-time
                             * @description When it was last changed.
                             */
                            modified_at: string;
                            /** @description The organization whose events it receives. */
                            organization_id: string;
                            /** @description The name of that organization; null if it is gone. */
                            organization_name: string | null;
                            /** @description The version that was chosen for it; it differs once that one is removed. */
                            pinned_version: string;
                            /** @description Where events are sent. */
                            url: string;
                        }[];
                        /** @description The next page. */
                        pagination: {
                            /** @description The cursor of the next page; null on the last one. */
                            next_cursor: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found"];
            414: components["responses"]["414.uri_too_long"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    recover_events: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the endpoint. */
                id: string;
                /** @description The id of the organization. */
                organization: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: date-time
                     * @description From when on.
                     */
                    since: string;
                };
            };
        };
        responses: {
            /** @description The recovery that was started. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description How many were delivered. */
                        delivered: number;
                        /** @description The endpoint whose events are sent again. */
                        endpoint_id: string;
                        /** @description How many could not be delivered. */
                        failed: number;
                        /** @description Begins with rec_. */
                        id: string;
                        /** @description How many of them are still to come. */
                        remaining: number;
                        /**
                         * Format: date-time
                         * @description From when on.
                         */
                        since: string;
                        /**
                         * Format: date-time
                         * @description When it was started.
                         */
                        started_at: string;
                        /** @description Whether it is still going on. */
                        state: "running" | "finished" | "cancelled";
                        /** @description How many events it sends again. */
                        total: number;
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found.not_found"];
            409: components["responses"]["409.conflict"];
            413: components["responses"]["413.payload_too_large"];
            414: components["responses"]["414.uri_too_long"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    redeliver_event: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the event. */
                id: string;
                /** @description The id of the organization. */
                organization: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event; it is sent shortly. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The version that it was rendered in. */
                        api_version: string;
                        /** @description The number of delivery attempts. */
                        attempt_count: number;
                        /**
                         * Format: date-time
                         * @description When it happened.
                         */
                        created_at: string;
                        /** @description The endpoint that it is for. */
                        endpoint_id: string;
                        /** @description Where that endpoint is; null if it is no longer stored. */
                        endpoint_url: string | null;
                        /** @description How it is written. */
                        format: "raw" | "slack" | "discord";
                        /** @description Begins with evt_. It is the webhook-id of its deliveries. */
                        id: string;
                        /** @description The last attempt that failed; null if none did, or it is no longer stored. */
                        last_failure: {
                            /**
                             * Format: date-time
                             * @description When the attempt began.
                             */
                            at: string;
                            /** @description Why it failed: status, timeout, connection_refused and so on. */
                            error: string;
                            /** @description The same in words. */
                            message: string;
                            /** @description The status of the answer; null if none came. */
                            status: number | null;
                        } | null;
                        /** @description The time of the next attempt; null if there is none. */
                        next_attempt_at: string | null;
                        /** @description What happened; events of several endpoints may be about the same. */
                        occurrence_id: string;
                        /** @description The organization of the endpoint. */
                        organization_id: string;
                        /** @description The name of that organization; null if it is gone. */
                        organization_name: string | null;
                        /** @description The hash of what is sent; null once that is no longer stored. */
                        payload_sha256: string | null;
                        /** @description The state of its delivery. */
                        state: "pending" | "delivered" | "exhausted" | "held" | "cancelled";
                        /** @description Whether it was sent to try the endpoint out. */
                        test: boolean;
                        /** @description The kind of the event. */
                        type: string;
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found.not_found"];
            409: components["responses"]["409.conflict"];
            410: components["responses"]["410.payload_expired"];
            413: components["responses"]["413.payload_too_large"];
            414: components["responses"]["414.uri_too_long"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    listen_to_events: {
        parameters: {
            query?: {
                /** @description The version that events are rendered in; Current by default. */
                api_version?: string;
                /** @description Kinds, separated by commas, such as product.*; all by default. */
                events?: string;
            };
            header?: never;
            path: {
                /** @description The id of the organization. */
                organization: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Lines; the first one says how to verify the others. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": {
                        /** @description The version that events are rendered in. */
                        api_version: string;
                        /**
                         * @description The first line.
                         * @constant
                         */
                        listening: true;
                        /** @description Verifies their signatures; it lasts as long as the connection. */
                        secret: string;
                    } | {
                        /** @description The body that a receiver would get. */
                        body: string;
                        /** @description The headers that a receiver would get. */
                        headers: {
                            [key: string]: string;
                        };
                        /** @description The kind of the event. */
                        type: string;
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found"];
            409: components["responses"]["409.conflict"];
            414: components["responses"]["414.uri_too_long"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    list_registration_tokens: {
        parameters: {
            query?: {
                /** @description The next_cursor of the page before; empty or left out for the first page. */
                cursor?: string;
                /** @description How many items at most; 50 by default. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of registration tokens, oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The items of this page. */
                        items: {
                            /**
                             * Format: date-time
                             * @description When it was made.
                             */
                            created_at: string;
                            /**
                             * Format: date-time
                             * @description Until when a client can register with it.
                             */
                            expires_at: string;
                            /** @description How the registered client may get tokens at most. */
                            grant_types: string[];
                            /** @description Begins with rgt_. */
                            id: string;
                            /** @description What tokens of the registered client may be allowed to do at most. */
                            scopes: string[];
                            /** @description When a client registered with it; null if none did. */
                            used_at: string | null;
                        }[];
                        /** @description The next page. */
                        pagination: {
                            /** @description The cursor of the next page; null on the last one. */
                            next_cursor: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    create_registration_token: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description How the registered client may get tokens at most; if left out, in every way. */
                    grant_types?: ("authorization_code" | "refresh_token" | "client_credentials")[];
                    /** @description What tokens of the registered client may be allowed to do at most; if left out, everything that is usual. */
                    scopes?: ("openid" | "profile" | "email" | "products:read" | "products:write" | "webhooks:read" | "webhooks:write" | "organizations:read" | "grants:manage" | "offline_access")[];
                };
            };
        };
        responses: {
            /** @description The new token. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: date-time
                         * @description When it was made.
                         */
                        created_at: string;
                        /**
                         * Format: date-time
                         * @description Until when a client can register with it.
                         */
                        expires_at: string;
                        /** @description How the registered client may get tokens at most. */
                        grant_types: string[];
                        /** @description Begins with rgt_. */
                        id: string;
                        /** @description The token itself. It is shown only in this answer. */
                        registration_token: string;
                        /** @description What tokens of the registered client may be allowed to do at most. */
                        scopes: string[];
                        /** @description When a client registered with it; null if none did. */
                        used_at: string | null;
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found"];
            413: components["responses"]["413.payload_too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    revoke_registration_token: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the registration token. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No client can register with it any more. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found.not_found"];
            413: components["responses"]["413.payload_too_large"];
            414: components["responses"]["414.uri_too_long"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    plan_release: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The plan. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The clients that the release breaks, or may break: each once, those that break first, then the busiest. */
                        clients_at_risk: {
                            /** @description The client. */
                            client_id: string;
                            /** @description Its name. */
                            client_name: string | null;
                            /**
                             * Format: date
                             * @description The last day with such a request.
                             */
                            last_day: string;
                            /** @description How many operations these are. */
                            operation_count: number;
                            /** @description The operations that these requests called, the first 20 by name. */
                            operations: string[];
                            /** @description Its organization. */
                            organization_id: string | null;
                            /** @description The name of the organization. */
                            organization_name: string;
                            /** @description How many of its requests are at risk. */
                            requests: number;
                            /**
                             * @description version_removed: it names the version that the release removes; default_changes: it names none, and gets another one. A client with both has the first.
                             * @enum {string}
                             */
                            risk: "version_removed" | "default_changes";
                            /** @description How many of these name no version. */
                            unpinned_requests: number;
                        }[];
                        /** @description How many requests of the API were counted in the last 30 days. */
                        counted_requests: number;
                        /** @description The version that is Current. */
                        current: string;
                        /** @description Webhook endpoints whose version the release removes. */
                        endpoints_moving: {
                            /** @description The version that its events have after the release. */
                            becomes: string;
                            /** @description A webhook endpoint. */
                            endpoint_id: string;
                            /** @description Where its events are sent. */
                            endpoint_url: string;
                            /** @description Its organization. */
                            organization_id: string;
                            /** @description The name of the organization; null if it is gone. */
                            organization_name: string | null;
                            /** @description The version that was chosen for it. */
                            pinned_version: string;
                        }[];
                        /** @description Clients that name no version at the OAuth endpoints, and only there, as stock libraries do. They get the new Current there, too; OAuth is the same in every version. */
                        oauth_only: {
                            /** @description The client. */
                            client_id: string;
                            /** @description Its name. */
                            client_name: string | null;
                            /**
                             * Format: date
                             * @description The last day with such a request.
                             */
                            last_day: string;
                            /** @description How many operations these are. */
                            operation_count: number;
                            /** @description The operations that these requests called, the first 20 by name. */
                            operations: string[];
                            /** @description Its organization. */
                            organization_id: string | null;
                            /** @description The name of the organization. */
                            organization_name: string;
                            /** @description How many of its requests to the OAuth endpoints name no version. */
                            requests: number;
                        }[];
                        /** @description Why the release cannot be run now; null if it can. */
                        obstacle: string | null;
                        /** @description The day of the next release has passed, and nothing says when it will be. */
                        overdue: boolean;
                        /** @description When that is planned, never a past time; null if it is not, or is overdue. */
                        planned_at: string | null;
                        /** @description Current is not released: this is a rehearsal. */
                        rehearsal: boolean;
                        /** @description The version that the next release makes Current. */
                        target: string;
                        /** @description What the release does to each version. */
                        versions: {
                            /**
                             * @description Its state after the release.
                             * @enum {string}
                             */
                            becomes: "removed" | "deprecated" | "current" | "next";
                            /** @description Its state now; null if it does not exist. */
                            state: ("deprecated" | "current" | "next") | null;
                            /** @description A version. */
                            version: string;
                        }[];
                        /** @description Today is in the first week of a quarter. */
                        window_open: boolean;
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    list_broken_clients: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The clients, and the release. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The busiest first, 1,000 at most. Operations are listed where the path is one of the removed version. */
                        items: {
                            /** @description The client. */
                            client_id: string;
                            /** @description Its name. */
                            client_name: string | null;
                            /**
                             * Format: date-time
                             * @description When the last one was.
                             */
                            last_at: string;
                            /** @description How many operations these are. */
                            operation_count: number;
                            /** @description The operations that these requests called, the first 20 by name. */
                            operations: string[];
                            /** @description Its organization. */
                            organization_id: string | null;
                            /** @description The name of the organization. */
                            organization_name: string;
                            /** @description The version that it asks for. */
                            requested_version: string;
                            /** @description How many of its requests were refused. */
                            requests: number;
                        }[];
                        /** @description It was a rehearsal. */
                        rehearsal: boolean;
                        /** @description The version that it removed. */
                        removed_version: string;
                        /** @description When it took effect; null if that is not known. */
                        since: string | null;
                        /** @description How many requests for that version were refused whose client is not known: without a token of a client, or too many at once to look up. */
                        unnamed_requests: number;
                        /** @description The version that the last release made Current. */
                        version: string;
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    list_releases: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The ledger, newest first, all on one page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The items of this page. */
                        items: {
                            /** @description Who decided: the id of an operator key, or calendar. */
                            actor: string;
                            /** @description The name of that key; null for the calendar. */
                            actor_name: string | null;
                            /** @description The contract that was released, by its hash. */
                            contract_sha256: string;
                            /**
                             * Format: date-time
                             * @description When it was decided.
                             */
                            decided_at: string;
                            /**
                             * Format: date-time
                             * @description When it takes, or took, effect.
                             */
                            effective_at: string;
                            /**
                             * @description The decision.
                             * @enum {string}
                             */
                            kind: "release" | "undo";
                            /** @description In the order of the decisions. */
                            number: number;
                            /** @description The hash of the contract of your own API; null if there was none. */
                            own_sha256: string | null;
                            /** @description Why; empty if nobody said. */
                            reason: string;
                            /** @description The version was not frozen. */
                            rehearsal: boolean;
                            /** @description The version that it is about. */
                            version: string;
                        }[];
                        /** @description The next page. */
                        pagination: {
                            /** @description The cursor of the next page; null on the last one. */
                            next_cursor: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    run_release: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Decide also outside of the first week of a quarter; needs a reason. */
                    outside_window?: boolean;
                    /** @description Why, for the ledger and the audit log. */
                    reason?: string;
                    /** @description The version that is meant; by default the one whose turn it is. */
                    version?: string;
                };
            };
        };
        responses: {
            /** @description The decision, and how many clients it breaks. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description It was already decided: nothing changed. */
                        already: boolean;
                        /** @description How many clients break: they named the version that the release removes in the last 30 days. */
                        breaking_clients: number;
                        /** @description How many other clients may break: they named no version, and get another one. */
                        default_changing_clients: number;
                        /**
                         * Format: date-time
                         * @description When it takes effect, on all nodes at the same instant.
                         */
                        effective_at: string;
                        /** @description The version that the decision is about. */
                        version: string;
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found"];
            409: components["responses"]["409.conflict"];
            413: components["responses"]["413.payload_too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    schedule_release: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: date-time
                     * @description When the release takes effect.
                     */
                    at: string;
                    /** @description Decide also outside of the first week of a quarter; needs a reason. */
                    outside_window?: boolean;
                    /** @description Why, for the ledger and the audit log. */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description The decision. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description It was already decided: nothing changed. */
                        already: boolean;
                        /**
                         * Format: date-time
                         * @description When it takes effect, on all nodes at the same instant.
                         */
                        effective_at: string;
                        /** @description The version that the decision is about. */
                        version: string;
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found"];
            409: components["responses"]["409.conflict"];
            413: components["responses"]["413.payload_too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    undo_release: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Decide also outside of the first week of a quarter; needs a reason. */
                    outside_window?: boolean;
                    /** @description Why, for the ledger and the audit log. */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description The decision. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description It was already decided: nothing changed. */
                        already: boolean;
                        /**
                         * Format: date-time
                         * @description When it takes effect, on all nodes at the same instant.
                         */
                        effective_at: string;
                        /** @description The version that the decision is about. */
                        version: string;
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found"];
            409: components["responses"]["409.conflict"];
            413: components["responses"]["413.payload_too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    list_scopes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The scopes, all on one page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The items of this page. */
                        items: {
                            /** @description True if it is about a user: a client that acts for itself never gets it. */
                            about_people: boolean;
                            /** @description What it allows, as users read it on the consent page. */
                            description: string;
                            /** @description Its name, as clients ask for it. */
                            name: string;
                        }[];
                        /** @description The next page. */
                        pagination: {
                            /** @description The cursor of the next page; null on the last one. */
                            next_cursor: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    search: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description An id, an X-Request-Id, the beginnings of words of a name or an address, a whole redirect URI, or a token. */
                    text: string;
                };
            };
        };
        responses: {
            /** @description What was found. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description What was found, at most 5 of each kind. By an id, it is found alone. */
                        items: {
                            /**
                             * @description Whether it was found by its id, or by its words; an X-Request-Id that the caller chose counts as words.
                             * @enum {string}
                             */
                            by: "id" | "words";
                            /** @description More about it: its state, for example. */
                            detail: string;
                            /** @description Its id; of a request its X-Request-Id. */
                            id: string;
                            /**
                             * @description What it is.
                             * @enum {string}
                             */
                            kind: "client" | "organization" | "user" | "webhook_endpoint" | "event" | "token" | "grant" | "request" | "operator_key";
                            /** @description Its name, address or type; of a token or a grant the name of its client. */
                            name: string;
                        }[];
                        /** @description The kinds of which there are more. */
                        more: ("client" | "organization" | "user" | "webhook_endpoint" | "event" | "token" | "grant" | "request" | "operator_key")[];
                        /** @description What to do instead, if the text is a secret, for example. */
                        notice: string | null;
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found"];
            413: components["responses"]["413.payload_too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    read_secret_key: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys in use. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The id of the key that encrypts new secrets. */
                        active_id: string;
                        /**
                         * Format: date-time
                         * @description Since when it is in use.
                         */
                        active_since: string;
                        /** @description Keys that some stored secrets are still encrypted with. */
                        former_ids: string[];
                        /** @description The keys that the node which answers was started with, in the order of its setting. */
                        node_ids: string[];
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    rotate_secret_key: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys in use. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The id of the key that encrypts new secrets. */
                        active_id: string;
                        /**
                         * Format: date-time
                         * @description Since when it is in use.
                         */
                        active_since: string;
                        /** @description Keys that some stored secrets are still encrypted with. */
                        former_ids: string[];
                        /** @description The keys that the node which answers was started with, in the order of its setting. */
                        node_ids: string[];
                        /** @description How many stored secrets were encrypted anew. */
                        resealed_count: number;
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found"];
            409: components["responses"]["409.conflict"];
            413: components["responses"]["413.payload_too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    sign_in: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description A live operator key. It is not stored in the browser. */
                    operator_key: string;
                };
            };
        };
        responses: {
            /** @description Who is signed in now. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The X-CSRF-Token of every request that changes something. */
                        csrf_token: string;
                        /** @description The id of the key; configured for the one from the settings. */
                        id: string;
                        /** @description Who or what uses the key. */
                        name: string;
                        /**
                         * @description What the session may do: what the key may.
                         * @enum {string}
                         */
                        role: "admin" | "viewer" | "support" | "publisher";
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.form_refused"];
            404: components["responses"]["404.version_not_found"];
            413: components["responses"]["413.payload_too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    sign_out: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session is over. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            404: components["responses"]["404.version_not_found"];
            413: components["responses"]["413.payload_too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    list_signing_keys: {
        parameters: {
            query?: {
                /** @description The next_cursor of the page before; empty or left out for the first page. */
                cursor?: string;
                /** @description How many items at most; 50 by default. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys: by algorithm, in the order in which they sign. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The items of this page. */
                        items: {
                            /**
                             * @description The algorithm of its signatures.
                             * @enum {string}
                             */
                            algorithm: "ES256" | "RS256";
                            /**
                             * Format: date-time
                             * @description When it was made.
                             */
                            created_at: string;
                            /** @description The kid of id_tokens that it signs. */
                            id: string;
                            /**
                             * Format: date-time
                             * @description From when on it signs: every client can know it by then.
                             */
                            signs_from: string;
                            /**
                             * @description Whether it signed before, signs now, or will sign.
                             * @enum {string}
                             */
                            state: "former" | "signing" | "upcoming";
                        }[];
                        /** @description The next page. */
                        pagination: {
                            /** @description The cursor of the next page; null on the last one. */
                            next_cursor: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    rotate_signing_key: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Which of the keys is rotated; ES256 where it is not said.
                     * @enum {string}
                     */
                    algorithm?: "ES256" | "RS256";
                    /** @description The old keys may be known to others: withdraw them and sign with the new one, at once. id_tokens that were signed before are refused from then on. */
                    withdraw?: boolean;
                };
            };
        };
        responses: {
            /** @description The new key. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The algorithm of its signatures.
                         * @enum {string}
                         */
                        algorithm: "ES256" | "RS256";
                        /**
                         * Format: date-time
                         * @description When it was made.
                         */
                        created_at: string;
                        /** @description The kid of id_tokens that it signs. */
                        id: string;
                        /**
                         * Format: date-time
                         * @description From when on it signs: every client can know it by then.
                         */
                        signs_from: string;
                        /**
                         * @description Whether it signed before, signs now, or will sign.
                         * @enum {string}
                         */
                        state: "former" | "signing" | "upcoming";
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found"];
            413: components["responses"]["413.payload_too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    list_standbys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The standbys, all on one page; none where the settings name none. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description What the primary was asked instead, since the start of this node. */
                        fallbacks: {
                            /** @description Look-ups that a standby would have refused. */
                            confirmed: number;
                            /** @description Look-ups that no standby had answered. */
                            unread: number;
                        };
                        /** @description The items of this page. */
                        items: {
                            /** @description The milliseconds after which it had shown the last renewal of the lease; null while it is not read from. */
                            lag_ms: number | null;
                            /** @description Its address, without secrets. */
                            name: string;
                            /** @description Why this node does not read from it; null while it does. */
                            problem: string | null;
                            /** @description What was read from it since the start of this node. */
                            reads: {
                                /** @description Statements that failed. */
                                failed: number;
                                /** @description Statements that were answered after the lease had run out, or not at all. */
                                late: number;
                                /** @description Statements whose answer was used. */
                                used: number;
                            };
                        }[];
                        /** @description The next page. */
                        pagination: {
                            /** @description The cursor of the next page; null on the last one. */
                            next_cursor: string | null;
                        };
                        /** @description How ends of access waited on this node, since its start. */
                        waits: {
                            /** @description Waits for nodes that read from standbys; those that came together are one. */
                            count: number;
                            /** @description Their mean in milliseconds; null while there was none. */
                            mean_ms: number | null;
                            /** @description Those that ended by the time, and not by the answer of a node. */
                            timed_out: number;
                        };
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    revoke_token: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the token. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Why, for the audit log. */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description It has ended. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found.not_found"];
            413: components["responses"]["413.payload_too_large"];
            414: components["responses"]["414.uri_too_long"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    explain_token: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The token itself, as it was issued. */
                    token?: string;
                    /** @description The id of the token; begins with tok_. */
                    token_id?: string;
                };
            };
        };
        responses: {
            /** @description The explanation. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Who ended it; null for the system, and if that is not known. */
                        actor_id: string | null;
                        /** @description The name of that actor now; null where it has none, or is gone. */
                        actor_name: string | null;
                        /** @description What kind of actor ended it; null if that is not known. */
                        actor_type: ("operator" | "client" | "user" | "system") | null;
                        /** @description Further reasons why it is not valid. */
                        also: {
                            /**
                             * Format: date-time
                             * @description Since when.
                             */
                            since: string;
                            /**
                             * @description Another reason why it is not valid.
                             * @enum {string}
                             */
                            state: "expired" | "used" | "revoked" | "grant_revoked" | "cut_by_grant" | "cut_by_client" | "client_disabled" | "client_deleted" | "user_blocked" | "organization_suspended";
                        }[];
                        /** @description The audit entries of it and its grant, newest first. */
                        history: {
                            /** @description A thing and what was done to it, such as grant.revoked. */
                            action: string;
                            /** @description Who did it: the id of an operator key (configured for the key from the settings), a client or a user; null for the system. */
                            actor_id: string | null;
                            /** @description The name of that key, client or user now; null for the system, and for one that is gone. */
                            actor_name: string | null;
                            /**
                             * @description What kind of actor did it.
                             * @enum {string}
                             */
                            actor_type: "operator" | "client" | "user" | "system";
                            /**
                             * Format: date-time
                             * @description When it was done.
                             */
                            at: string;
                            /** @description The client that it concerns. */
                            client_id: string | null;
                            /** @description Its name now; null if it is gone. */
                            client_name: string | null;
                            /** @description Further details; they depend on the action. */
                            details: {
                                [key: string]: unknown;
                            };
                            /** @description The grant that it concerns. */
                            grant_id: string | null;
                            /** @description Begins with aud_. */
                            id: string;
                            /** @description The organization that it concerns. */
                            organization_id: string | null;
                            /** @description Its name now; null if it is gone. */
                            organization_name: string | null;
                            /** @description Why it was done. */
                            reason: string | null;
                            /** @description The token that it concerns. */
                            token_id: string | null;
                            /** @description The user that it concerns. */
                            user_id: string | null;
                            /** @description Its name now; null if it is gone. */
                            user_name: string | null;
                        }[];
                        /** @description The explanation, in a sentence. */
                        message: string;
                        /** @description Why it was ended; null if that is not known. */
                        reason: string | null;
                        /**
                         * @deprecated
                         * @description The former name of message; it goes when 2027-01 is Current.
                         */
                        says: string;
                        /** @description When it ended; null if it did not. */
                        since: string | null;
                        /**
                         * @description Whether it is active, or how it ended first.
                         * @enum {string}
                         */
                        state: "expired" | "used" | "revoked" | "grant_revoked" | "cut_by_grant" | "cut_by_client" | "client_disabled" | "client_deleted" | "user_blocked" | "organization_suspended" | "active" | "unknown";
                        /** @description The token; null if it is not stored here. */
                        token: {
                            /** @description Its audience. */
                            aud: string;
                            /** @description The client that it was issued to. */
                            client_id: string;
                            /** @description Its name now; null if it is gone. */
                            client_name: string | null;
                            /**
                             * Format: date-time
                             * @description When it expires.
                             */
                            expires_at: string;
                            /** @description The grant that it was issued under. */
                            grant_id: string;
                            /** @description Begins with tok_. */
                            id: string;
                            /**
                             * Format: date-time
                             * @description When it was issued.
                             */
                            issued_at: string;
                            /** @description Their names, in the same order. */
                            organization_names: (string | null)[];
                            /** @description The organizations that it reaches. */
                            organizations: string[];
                            /** @description The id of the user or organization that it acts for. */
                            sub: string;
                            /** @description Its name now; null if it is gone. */
                            sub_name: string | null;
                            /**
                             * @description The kind of its subject.
                             * @enum {string}
                             */
                            sub_type: "user" | "organization";
                            /**
                             * @description Which kind of token it is.
                             * @enum {string}
                             */
                            token_type: "access_token" | "refresh_token";
                        } | null;
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found"];
            413: components["responses"]["413.payload_too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    revoke_tokens: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The client that they were issued to. */
                    client_id?: string;
                    /** @description The next_cursor of the answer before. */
                    cursor?: string;
                    /** @description Count only, and revoke nothing. */
                    dry_run?: boolean;
                    /** @description Only what was issued before this time. */
                    issued_before?: string;
                    /** @description An organization that they reach. */
                    organization_id?: string;
                    /** @description Why, for the audit log. */
                    reason?: string;
                    /** @description The user or organization that the tokens act for. */
                    subject?: string;
                };
            };
        };
        responses: {
            /** @description How much was revoked. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Nothing was revoked, only counted. */
                        dry_run: boolean;
                        /** @description How many grants ended. */
                        grants: number;
                        /** @description Send the same request with this cursor to go on; null at the end. */
                        next_cursor: string | null;
                        /** @description How many live tokens were revoked. */
                        tokens: number;
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found"];
            413: components["responses"]["413.payload_too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    read_usage: {
        parameters: {
            query?: {
                /** @description Only requests whose version was chosen so. */
                choice?: "pinned" | "defaulted" | "rejected_malformed" | "rejected_unknown" | "rejected_removed";
                /** @description Only requests of this client. */
                client?: string;
                /** @description How many days back; 30 by default. */
                days?: number;
                /** @description The first day, in UTC. */
                from?: string;
                /** @description What to group by, separated by commas: one or more of day, version, choice, client, organization, operation. By default version, choice and client. */
                group?: string;
                /** @description The last day, in UTC; today by default. */
                to?: string;
                /** @description Only requests in this API version. */
                version?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counts, largest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: date
                         * @description The first day that was counted.
                         */
                        from: string;
                        /** @description Sums, with the fields that were asked for by group. */
                        items: {
                            /** @description How the version was chosen, if grouped by choice: pinned, defaulted, or rejected and why. */
                            choice?: string;
                            /** @description True if it was deleted since; absent otherwise. */
                            client_deleted?: boolean;
                            /** @description The client, if grouped by client; null for requests without an authenticated one. */
                            client_id?: string | null;
                            /** @description Its name; null if that is not known any more. */
                            client_name?: string | null;
                            /**
                             * Format: date
                             * @description The day, if grouped by day.
                             */
                            day?: string;
                            /**
                             * Format: date
                             * @description The last day with such a request.
                             */
                            last_day: string;
                            /** @description The operation, if grouped by operation; null if none matched. */
                            operation?: string | null;
                            /** @description The organization of the client, if grouped by client or organization; null if it was deleted. */
                            organization_id?: string | null;
                            /** @description The name of that organization; null if it is gone. */
                            organization_name?: string | null;
                            /** @description How many requests. */
                            requests: number;
                            /** @description The API version, if grouped by version; null if none was served. */
                            version?: string | null;
                        }[];
                        /**
                         * Format: date
                         * @description The last day that was counted.
                         */
                        to: string;
                        /** @description The list was cut off: narrow the query. */
                        truncated: boolean;
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    list_clients_at_risk: {
        parameters: {
            query?: {
                /** @description How many days back; 30 by default. */
                days?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The clients, and what the release changes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description How many requests of the API were counted since then. */
                        counted_requests: number;
                        /** @description The version of requests that name none, now. */
                        default_version: string;
                        /**
                         * Format: date
                         * @description The first day that was counted.
                         */
                        from: string;
                        /** @description The clients that the release breaks, or may break: each once, those that break first, then the busiest. */
                        items: {
                            /** @description The client. */
                            client_id: string;
                            /** @description Its name. */
                            client_name: string | null;
                            /**
                             * Format: date
                             * @description The last day with such a request.
                             */
                            last_day: string;
                            /** @description How many operations these are. */
                            operation_count: number;
                            /** @description The operations that these requests called, the first 20 by name. */
                            operations: string[];
                            /** @description Its organization. */
                            organization_id: string | null;
                            /** @description The name of the organization. */
                            organization_name: string;
                            /** @description How many of its requests are at risk. */
                            requests: number;
                            /**
                             * @description version_removed: it names the version that the release removes; default_changes: it names none, and gets another one. A client with both has the first.
                             * @enum {string}
                             */
                            risk: "version_removed" | "default_changes";
                            /** @description How many of these name no version. */
                            unpinned_requests: number;
                        }[];
                        /** @description The version of requests that name none, after the release. */
                        next_default_version: string;
                        /** @description Clients that name no version at the OAuth endpoints, and only there, as stock libraries do. They get the new Current there, too; OAuth is the same in every version. */
                        oauth_only: {
                            /** @description The client. */
                            client_id: string;
                            /** @description Its name. */
                            client_name: string | null;
                            /**
                             * Format: date
                             * @description The last day with such a request.
                             */
                            last_day: string;
                            /** @description How many operations these are. */
                            operation_count: number;
                            /** @description The operations that these requests called, the first 20 by name. */
                            operations: string[];
                            /** @description Its organization. */
                            organization_id: string | null;
                            /** @description The name of the organization. */
                            organization_name: string;
                            /** @description How many of its requests to the OAuth endpoints name no version. */
                            requests: number;
                        }[];
                        /** @description When the next release is planned, never a past time; null if it is not, or is overdue. */
                        planned_at: string | null;
                        /** @description The version that the release removes. */
                        removed_version: string;
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    list_users: {
        parameters: {
            query?: {
                /** @description The next_cursor of the page before; empty or left out for the first page. */
                cursor?: string;
                /** @description How many items at most; 50 by default. */
                limit?: number;
                /** @description A part of a name or an address, or an id. */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of users, oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The items of this page. */
                        items: {
                            /** @description Since when the user is blocked; null if they are not. */
                            blocked_at: string | null;
                            /**
                             * Format: date-time
                             * @description When the user was created.
                             */
                            created_at: string;
                            /** @description The email address to sign in with. */
                            email: string;
                            /** @description Begins with usr_. */
                            id: string;
                            /** @description The name of the user. */
                            name: string;
                        }[];
                        /** @description The next page. */
                        pagination: {
                            /** @description The cursor of the next page; null on the last one. */
                            next_cursor: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    create_user: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The email address to sign in with; unique. */
                    email: string;
                    /** @description The name of the user. */
                    name: string;
                    /** @description Their first password. It is stored as a hash, and never shown. */
                    password: string;
                };
            };
        };
        responses: {
            /** @description The new user. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Since when the user is blocked; null if they are not. */
                        blocked_at: string | null;
                        /**
                         * Format: date-time
                         * @description When the user was created.
                         */
                        created_at: string;
                        /** @description The email address to sign in with. */
                        email: string;
                        /** @description Begins with usr_. */
                        id: string;
                        /** @description The name of the user. */
                        name: string;
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found"];
            409: components["responses"]["409.conflict"];
            413: components["responses"]["413.payload_too_large"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.validation_failed"];
            429: components["responses"]["429.too_many_requests"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    read_user: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the user. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Since when the user is blocked; null if they are not. */
                        blocked_at: string | null;
                        /**
                         * Format: date-time
                         * @description When the user was created.
                         */
                        created_at: string;
                        /** @description The email address to sign in with. */
                        email: string;
                        /** @description Begins with usr_. */
                        id: string;
                        /** @description The name of the user. */
                        name: string;
                        /** @description Where the user is a member. */
                        organizations: {
                            /** @description The id of an organization. */
                            id: string;
                            /** @description Its name. */
                            name: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found.not_found"];
            414: components["responses"]["414.uri_too_long"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    delete_user: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the user. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found.not_found"];
            413: components["responses"]["413.payload_too_large"];
            414: components["responses"]["414.uri_too_long"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    block_user: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the user. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The blocked user. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Since when the user is blocked; null if they are not. */
                        blocked_at: string | null;
                        /**
                         * Format: date-time
                         * @description When the user was created.
                         */
                        created_at: string;
                        /** @description The email address to sign in with. */
                        email: string;
                        /** @description Begins with usr_. */
                        id: string;
                        /** @description The name of the user. */
                        name: string;
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found.not_found"];
            413: components["responses"]["413.payload_too_large"];
            414: components["responses"]["414.uri_too_long"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    list_user_grants: {
        parameters: {
            query?: {
                /** @description The next_cursor of the page before; empty or left out for the first page. */
                cursor?: string;
                /** @description How many items at most; 50 by default. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description The id of the user. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of grants, oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The items of this page. */
                        items: {
                            /** @description The client that may act. */
                            client_id: string;
                            /** @description Its name. */
                            client_name: string;
                            /**
                             * Format: date-time
                             * @description Since when.
                             */
                            created_at: string;
                            /**
                             * Format: date-time
                             * @description When it ends at the latest.
                             */
                            expires_at: string;
                            /** @description Begins with gra_. */
                            id: string;
                            /** @description Where. */
                            organization_ids: string[];
                            /** @description Their names, in the same order. */
                            organization_names: (string | null)[];
                            /** @description What it may do. */
                            scopes: string[];
                            /** @description The user that has allowed it; null for a client's own. */
                            user_id: string | null;
                            /** @description The name of the user now; null if there is none. */
                            user_name: string | null;
                        }[];
                        /** @description The next page. */
                        pagination: {
                            /** @description The cursor of the next page; null on the last one. */
                            next_cursor: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found.not_found"];
            414: components["responses"]["414.uri_too_long"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    create_password_link: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the user. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link. It is shown only in this answer. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: date-time
                         * @description Until when it can be used.
                         */
                        expires_at: string;
                        /** @description The link. */
                        url: string;
                        /** @description The user whose password it sets. */
                        user_id: string;
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found.not_found"];
            413: components["responses"]["413.payload_too_large"];
            414: components["responses"]["414.uri_too_long"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    list_user_sessions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the user. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The sessions, all on one page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The items of this page. */
                        items: {
                            /**
                             * Format: date-time
                             * @description When it ends, even if it is in use.
                             */
                            expires_at: string;
                            /**
                             * Format: date-time
                             * @description When the session was last used, to the minute.
                             */
                            last_used_at: string;
                            /**
                             * Format: date-time
                             * @description When the user signed in with the password.
                             */
                            signed_in_at: string;
                        }[];
                        /** @description The next page. */
                        pagination: {
                            /** @description The cursor of the next page; null on the last one. */
                            next_cursor: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found.not_found"];
            414: components["responses"]["414.uri_too_long"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    end_user_sessions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the user. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user is signed out. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found.not_found"];
            413: components["responses"]["413.payload_too_large"];
            414: components["responses"]["414.uri_too_long"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    set_user_password: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the user. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The new password. It is stored as a hash, and never shown. */
                    password: string;
                };
            };
        };
        responses: {
            /** @description The user. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Since when the user is blocked; null if they are not. */
                        blocked_at: string | null;
                        /**
                         * Format: date-time
                         * @description When the user was created.
                         */
                        created_at: string;
                        /** @description The email address to sign in with. */
                        email: string;
                        /** @description Begins with usr_. */
                        id: string;
                        /** @description The name of the user. */
                        name: string;
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found.not_found"];
            413: components["responses"]["413.payload_too_large"];
            414: components["responses"]["414.uri_too_long"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.validation_failed"];
            429: components["responses"]["429.too_many_requests"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    unblock_user: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the user. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Since when the user is blocked; null if they are not. */
                        blocked_at: string | null;
                        /**
                         * Format: date-time
                         * @description When the user was created.
                         */
                        created_at: string;
                        /** @description The email address to sign in with. */
                        email: string;
                        /** @description Begins with usr_. */
                        id: string;
                        /** @description The name of the user. */
                        name: string;
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found.not_found"];
            413: components["responses"]["413.payload_too_large"];
            414: components["responses"]["414.uri_too_long"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    read_version_changes: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The version, such as 2026-10. */
                version: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The changes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Where the two contracts differ: paths that begin with an operation, a kind of event, or errors. */
                        differences: string[];
                        /** @description The changes, by their kind. */
                        groups: {
                            /** @description The changes. */
                            notes: {
                                /** @description The same thing before and after. */
                                examples: {
                                    /** @description In this version; null if it has nothing of the kind. */
                                    after: {
                                        /** @description What it is, in a few words. */
                                        caption: string;
                                        /** @description The text that is sent. */
                                        text: string;
                                    } | null;
                                    /** @description In the version before; null if it has nothing of the kind. */
                                    before: {
                                        /** @description What it is, in a few words. */
                                        caption: string;
                                        /** @description The text that is sent. */
                                        text: string;
                                    } | null;
                                }[];
                                /** @description The name of the change. */
                                name: string;
                                /**
                                 * @deprecated
                                 * @description The former name of summary; it goes when 2027-01 is Current.
                                 */
                                says: string;
                                /** @description What changed, in a sentence. */
                                summary: string;
                                /** @description The same in words. */
                                title: string;
                                /** @description What an integrator has to do. */
                                upgrade_note: string;
                                /** @description Why. */
                                why: string;
                            }[];
                            /** @description What kind of changes these are. */
                            title: string;
                        }[];
                        /** @description The version before it; null where that is no longer known here. */
                        since: string | null;
                        /** @description The version. */
                        version: string;
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found.not_found"];
            414: components["responses"]["414.uri_too_long"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    list_all_webhook_endpoints: {
        parameters: {
            query?: {
                /** @description Only those whose events have this version. */
                api_version?: string;
                /** @description Only those in this condition. */
                condition?: "healthy" | "failing" | "disabled";
                /** @description The next_cursor of the page before; empty or left out for the first page. */
                cursor?: string;
                /** @description How many items at most; 50 by default. */
                limit?: number;
                /** @description Only those of this organization. */
                organization_id?: string;
                /** @description A part of the address, or an id. */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of endpoints, oldest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The items of this page. */
                        items: {
                            /** @description The version that its events have. */
                            api_version: string;
                            /**
                             * Format: date-time
                             * @description When it was created.
                             */
                            created_at: string;
                            /** @description Who made it; null where that is not known. */
                            created_by: {
                                /** @description The client that made it. */
                                client_id: string;
                                /** @description Its name now; null if it is gone. */
                                client_name: string | null;
                                /** @description The user whose token it was; null for a token of the client itself. */
                                user_id: string | null;
                                /** @description The name of the user now; null if there is none. */
                                user_name: string | null;
                            } | null;
                            /** @description The description that its owner gave it. */
                            description: string | null;
                            /** @description Why not; null while it is enabled. */
                            disabled_reason: ("owner" | "gone" | "failing" | "access_ended" | "operator") | null;
                            /** @description Whether events are sent. */
                            enabled: boolean;
                            /** @description The kinds that it receives. */
                            events: string[];
                            /** @description Since when every attempt has failed; null if the last one succeeded. */
                            failing_since: string | null;
                            /** @description Number of failed attempts since then. */
                            failure_count: number;
                            /** @description How they are written: raw JSON, or a message for Slack or Discord. */
                            format: "raw" | "slack" | "discord";
                            /** @description Begins with whe_. */
                            id: string;
                            /** @description The last attempt that failed; null if none did, or it is no longer stored. */
                            last_failure: {
                                /**
                                 * Format: date-time
                                 * @description When the attempt began.
                                 */
                                at: string;
                                /** @description Why it failed: status, timeout, connection_refused and so on. */
                                error: string;
                                /** @description The same in words. */
                                message: string;
                                /** @description The status of the answer; null if none came. */
                                status: number | null;
                            } | null;
                            /** @description When an event was last delivered; null if none ever was. */
                            last_success_at: string | null;
                            /** @description How many events a second it takes at most; null for no bound of its own. */
                            max_per_second: number | null;
                            /**
                             * Format: date-time
                             * @description When it was last changed.
                             */
                            modified_at: string;
                            /** @description The organization whose events it receives. */
                            organization_id: string;
                            /** @description The name of that organization; null if it is gone. */
                            organization_name: string | null;
                            /** @description Until when the receiver has asked for a pause; null if it has not. */
                            paused_until: string | null;
                            /** @description The version that was chosen for it; it differs once that one is removed. */
                            pinned_version: string;
                            /** @description Where events are sent. */
                            url: string;
                        }[];
                        /** @description The next page. */
                        pagination: {
                            /** @description The cursor of the next page; null on the last one. */
                            next_cursor: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    read_webhook_endpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the endpoint. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The version that its events have. */
                        api_version: string;
                        /**
                         * Format: date-time
                         * @description When it was created.
                         */
                        created_at: string;
                        /** @description Who made it; null where that is not known. */
                        created_by: {
                            /** @description The client that made it. */
                            client_id: string;
                            /** @description Its name now; null if it is gone. */
                            client_name: string | null;
                            /** @description The user whose token it was; null for a token of the client itself. */
                            user_id: string | null;
                            /** @description The name of the user now; null if there is none. */
                            user_name: string | null;
                        } | null;
                        /** @description The description that its owner gave it. */
                        description: string | null;
                        /** @description Why not; null while it is enabled. */
                        disabled_reason: ("owner" | "gone" | "failing" | "access_ended" | "operator") | null;
                        /** @description Whether events are sent. */
                        enabled: boolean;
                        /** @description The kinds that it receives. */
                        events: string[];
                        /** @description Since when every attempt has failed; null if the last one succeeded. */
                        failing_since: string | null;
                        /** @description Number of failed attempts since then. */
                        failure_count: number;
                        /** @description How they are written: raw JSON, or a message for Slack or Discord. */
                        format: "raw" | "slack" | "discord";
                        /** @description Begins with whe_. */
                        id: string;
                        /** @description The last attempt that failed; null if none did, or it is no longer stored. */
                        last_failure: {
                            /**
                             * Format: date-time
                             * @description When the attempt began.
                             */
                            at: string;
                            /** @description Why it failed: status, timeout, connection_refused and so on. */
                            error: string;
                            /** @description The same in words. */
                            message: string;
                            /** @description The status of the answer; null if none came. */
                            status: number | null;
                        } | null;
                        /** @description When an event was last delivered; null if none ever was. */
                        last_success_at: string | null;
                        /** @description How many events a second it takes at most; null for no bound of its own. */
                        max_per_second: number | null;
                        /**
                         * Format: date-time
                         * @description When it was last changed.
                         */
                        modified_at: string;
                        /** @description The organization whose events it receives. */
                        organization_id: string;
                        /** @description The name of that organization; null if it is gone. */
                        organization_name: string | null;
                        /** @description Until when the receiver has asked for a pause; null if it has not. */
                        paused_until: string | null;
                        /** @description The version that was chosen for it; it differs once that one is removed. */
                        pinned_version: string;
                        /** @description Where events are sent. */
                        url: string;
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found.not_found"];
            414: components["responses"]["414.uri_too_long"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    delete_webhook_endpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the endpoint. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone; what it has not received yet is not sent. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found.not_found"];
            413: components["responses"]["413.payload_too_large"];
            414: components["responses"]["414.uri_too_long"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    disable_webhook_endpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the endpoint. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description Why, for the audit log. A key with the role support must give it. */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description The endpoint, disabled. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The version that its events have. */
                        api_version: string;
                        /**
                         * Format: date-time
                         * @description When it was created.
                         */
                        created_at: string;
                        /** @description Who made it; null where that is not known. */
                        created_by: {
                            /** @description The client that made it. */
                            client_id: string;
                            /** @description Its name now; null if it is gone. */
                            client_name: string | null;
                            /** @description The user whose token it was; null for a token of the client itself. */
                            user_id: string | null;
                            /** @description The name of the user now; null if there is none. */
                            user_name: string | null;
                        } | null;
                        /** @description The description that its owner gave it. */
                        description: string | null;
                        /** @description Why not; null while it is enabled. */
                        disabled_reason: ("owner" | "gone" | "failing" | "access_ended" | "operator") | null;
                        /** @description Whether events are sent. */
                        enabled: boolean;
                        /** @description The kinds that it receives. */
                        events: string[];
                        /** @description How they are written: raw JSON, or a message for Slack or Discord. */
                        format: "raw" | "slack" | "discord";
                        /** @description Begins with whe_. */
                        id: string;
                        /** @description How many events a second it takes at most; null for no bound of its own. */
                        max_per_second: number | null;
                        /**
                         * Format: date-time
                         * @description When it was last changed.
                         */
                        modified_at: string;
                        /** @description The organization whose events it receives. */
                        organization_id: string;
                        /** @description The name of that organization; null if it is gone. */
                        organization_name: string | null;
                        /** @description The version that was chosen for it; it differs once that one is removed. */
                        pinned_version: string;
                        /** @description Where events are sent. */
                        url: string;
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found.not_found"];
            413: components["responses"]["413.payload_too_large"];
            414: components["responses"]["414.uri_too_long"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    enable_webhook_endpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the endpoint. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint; it is still disabled. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The version that its events have. */
                        api_version: string;
                        /**
                         * Format: date-time
                         * @description When it was created.
                         */
                        created_at: string;
                        /** @description Who made it; null where that is not known. */
                        created_by: {
                            /** @description The client that made it. */
                            client_id: string;
                            /** @description Its name now; null if it is gone. */
                            client_name: string | null;
                            /** @description The user whose token it was; null for a token of the client itself. */
                            user_id: string | null;
                            /** @description The name of the user now; null if there is none. */
                            user_name: string | null;
                        } | null;
                        /** @description The description that its owner gave it. */
                        description: string | null;
                        /** @description Why not; null while it is enabled. */
                        disabled_reason: ("owner" | "gone" | "failing" | "access_ended" | "operator") | null;
                        /** @description Whether events are sent. */
                        enabled: boolean;
                        /** @description The kinds that it receives. */
                        events: string[];
                        /** @description How they are written: raw JSON, or a message for Slack or Discord. */
                        format: "raw" | "slack" | "discord";
                        /** @description Begins with whe_. */
                        id: string;
                        /** @description How many events a second it takes at most; null for no bound of its own. */
                        max_per_second: number | null;
                        /**
                         * Format: date-time
                         * @description When it was last changed.
                         */
                        modified_at: string;
                        /** @description The organization whose events it receives. */
                        organization_id: string;
                        /** @description The name of that organization; null if it is gone. */
                        organization_name: string | null;
                        /** @description The version that was chosen for it; it differs once that one is removed. */
                        pinned_version: string;
                        /** @description Where events are sent. */
                        url: string;
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found.not_found"];
            409: components["responses"]["409.conflict"];
            413: components["responses"]["413.payload_too_large"];
            414: components["responses"]["414.uri_too_long"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    read_recovery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the endpoint. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The recovery. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Null if there was none. */
                        recovery: {
                            /** @description How many were delivered. */
                            delivered: number;
                            /** @description The endpoint whose events are sent again. */
                            endpoint_id: string;
                            /** @description How many could not be delivered. */
                            failed: number;
                            /** @description Begins with rec_. */
                            id: string;
                            /** @description How many of them are still to come. */
                            remaining: number;
                            /**
                             * Format: date-time
                             * @description From when on.
                             */
                            since: string;
                            /**
                             * Format: date-time
                             * @description When it was started.
                             */
                            started_at: string;
                            /** @description Whether it is still going on. */
                            state: "running" | "finished" | "cancelled";
                            /** @description How many events it sends again. */
                            total: number;
                        } | null;
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found.not_found"];
            414: components["responses"]["414.uri_too_long"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    release_webhook_endpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the endpoint. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint; it is still disabled. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The version that its events have. */
                        api_version: string;
                        /**
                         * Format: date-time
                         * @description When it was created.
                         */
                        created_at: string;
                        /** @description Who made it; null where that is not known. */
                        created_by: {
                            /** @description The client that made it. */
                            client_id: string;
                            /** @description Its name now; null if it is gone. */
                            client_name: string | null;
                            /** @description The user whose token it was; null for a token of the client itself. */
                            user_id: string | null;
                            /** @description The name of the user now; null if there is none. */
                            user_name: string | null;
                        } | null;
                        /** @description The description that its owner gave it. */
                        description: string | null;
                        /** @description Why not; null while it is enabled. */
                        disabled_reason: ("owner" | "gone" | "failing" | "access_ended" | "operator") | null;
                        /** @description Whether events are sent. */
                        enabled: boolean;
                        /** @description The kinds that it receives. */
                        events: string[];
                        /** @description How they are written: raw JSON, or a message for Slack or Discord. */
                        format: "raw" | "slack" | "discord";
                        /** @description Begins with whe_. */
                        id: string;
                        /** @description How many events a second it takes at most; null for no bound of its own. */
                        max_per_second: number | null;
                        /**
                         * Format: date-time
                         * @description When it was last changed.
                         */
                        modified_at: string;
                        /** @description The organization whose events it receives. */
                        organization_id: string;
                        /** @description The name of that organization; null if it is gone. */
                        organization_name: string | null;
                        /** @description The version that was chosen for it; it differs once that one is removed. */
                        pinned_version: string;
                        /** @description Where events are sent. */
                        url: string;
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found.not_found"];
            409: components["responses"]["409.conflict"];
            413: components["responses"]["413.payload_too_large"];
            414: components["responses"]["414.uri_too_long"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    send_test_event: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the endpoint. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The version of the example; the one of the endpoint by default. */
                    api_version?: string;
                    /** @description The kind of the event. */
                    type: string;
                };
            };
        };
        responses: {
            /** @description The event; it is sent shortly. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The version that it was rendered in. */
                        api_version: string;
                        /** @description The number of delivery attempts. */
                        attempt_count: number;
                        /**
                         * Format: date-time
                         * @description When it happened.
                         */
                        created_at: string;
                        /** @description The endpoint that it is for. */
                        endpoint_id: string;
                        /** @description Where that endpoint is; null if it is no longer stored. */
                        endpoint_url: string | null;
                        /** @description How it is written. */
                        format: "raw" | "slack" | "discord";
                        /** @description Begins with evt_. It is the webhook-id of its deliveries. */
                        id: string;
                        /** @description The last attempt that failed; null if none did, or it is no longer stored. */
                        last_failure: {
                            /**
                             * Format: date-time
                             * @description When the attempt began.
                             */
                            at: string;
                            /** @description Why it failed: status, timeout, connection_refused and so on. */
                            error: string;
                            /** @description The same in words. */
                            message: string;
                            /** @description The status of the answer; null if none came. */
                            status: number | null;
                        } | null;
                        /** @description The time of the next attempt; null if there is none. */
                        next_attempt_at: string | null;
                        /** @description What happened; events of several endpoints may be about the same. */
                        occurrence_id: string;
                        /** @description The organization of the endpoint. */
                        organization_id: string;
                        /** @description The name of that organization; null if it is gone. */
                        organization_name: string | null;
                        /** @description The hash of what is sent; null once that is no longer stored. */
                        payload_sha256: string | null;
                        /** @description The state of its delivery. */
                        state: "pending" | "delivered" | "exhausted" | "held" | "cancelled";
                        /** @description Whether it was sent to try the endpoint out. */
                        test: boolean;
                        /** @description The kind of the event. */
                        type: string;
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found.not_found"];
            409: components["responses"]["409.conflict"];
            413: components["responses"]["413.payload_too_large"];
            414: components["responses"]["414.uri_too_long"];
            415: components["responses"]["415.unsupported_media_type"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    list_all_webhook_events: {
        parameters: {
            query?: {
                /** @description Only those in this version; with an organization, an endpoint or since. */
                api_version?: string;
                /** @description The next_cursor of the page before; empty or left out for the first page. */
                cursor?: string;
                /** @description Only those for this endpoint. */
                endpoint_id?: string;
                /** @description How many items at most; 50 by default. */
                limit?: number;
                /** @description Only those of this organization. */
                organization_id?: string;
                /** @description From this time on, such as 2027-01-06T17:00:00Z. */
                since?: string;
                /** @description Only those in this state. */
                state?: "pending" | "delivered" | "exhausted" | "held" | "cancelled";
                /** @description Only those of this kind; with an organization or an endpoint. */
                type?: string;
                /** @description Before this time. */
                until?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of events, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The items of this page. */
                        items: {
                            /** @description The version that it was rendered in. */
                            api_version: string;
                            /** @description The number of delivery attempts. */
                            attempt_count: number;
                            /**
                             * Format: date-time
                             * @description When it happened.
                             */
                            created_at: string;
                            /** @description The endpoint that it is for. */
                            endpoint_id: string;
                            /** @description Where that endpoint is; null if it is no longer stored. */
                            endpoint_url: string | null;
                            /** @description How it is written. */
                            format: "raw" | "slack" | "discord";
                            /** @description Begins with evt_. It is the webhook-id of its deliveries. */
                            id: string;
                            /** @description The last attempt that failed; null if none did, or it is no longer stored. */
                            last_failure: {
                                /**
                                 * Format: date-time
                                 * @description When the attempt began.
                                 */
                                at: string;
                                /** @description Why it failed: status, timeout, connection_refused and so on. */
                                error: string;
                                /** @description The same in words. */
                                message: string;
                                /** @description The status of the answer; null if none came. */
                                status: number | null;
                            } | null;
                            /** @description The time of the next attempt; null if there is none. */
                            next_attempt_at: string | null;
                            /** @description What happened; events of several endpoints may be about the same. */
                            occurrence_id: string;
                            /** @description The organization of the endpoint. */
                            organization_id: string;
                            /** @description The name of that organization; null if it is gone. */
                            organization_name: string | null;
                            /** @description The hash of what is sent; null once that is no longer stored. */
                            payload_sha256: string | null;
                            /** @description The state of its delivery. */
                            state: "pending" | "delivered" | "exhausted" | "held" | "cancelled";
                            /** @description Whether it was sent to try the endpoint out. */
                            test: boolean;
                            /** @description The kind of the event. */
                            type: string;
                        }[];
                        /** @description The next page. */
                        pagination: {
                            /** @description The cursor of the next page; null on the last one. */
                            next_cursor: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    read_webhook_event: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the event. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The version that it was rendered in. */
                        api_version: string;
                        /** @description The number of delivery attempts. */
                        attempt_count: number;
                        /**
                         * Format: date-time
                         * @description When it happened.
                         */
                        created_at: string;
                        /** @description The endpoint that it is for. */
                        endpoint_id: string;
                        /** @description Where that endpoint is; null if it is no longer stored. */
                        endpoint_url: string | null;
                        /** @description How it is written. */
                        format: "raw" | "slack" | "discord";
                        /** @description Begins with evt_. It is the webhook-id of its deliveries. */
                        id: string;
                        /** @description The last attempt that failed; null if none did, or it is no longer stored. */
                        last_failure: {
                            /**
                             * Format: date-time
                             * @description When the attempt began.
                             */
                            at: string;
                            /** @description Why it failed: status, timeout, connection_refused and so on. */
                            error: string;
                            /** @description The same in words. */
                            message: string;
                            /** @description The status of the answer; null if none came. */
                            status: number | null;
                        } | null;
                        /** @description The time of the next attempt; null if there is none. */
                        next_attempt_at: string | null;
                        /** @description What happened; events of several endpoints may be about the same. */
                        occurrence_id: string;
                        /** @description The organization of the endpoint. */
                        organization_id: string;
                        /** @description The name of that organization; null if it is gone. */
                        organization_name: string | null;
                        /** @description The body, to the byte; null once it is no longer stored. */
                        payload: string | null;
                        /** @description The hash of what is sent; null once that is no longer stored. */
                        payload_sha256: string | null;
                        /** @description The state of its delivery. */
                        state: "pending" | "delivered" | "exhausted" | "held" | "cancelled";
                        /** @description Whether it was sent to try the endpoint out. */
                        test: boolean;
                        /** @description The kind of the event. */
                        type: string;
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found.not_found"];
            414: components["responses"]["414.uri_too_long"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    list_webhook_attempts: {
        parameters: {
            query?: {
                /** @description The next_cursor of the page before; empty or left out for the first page. */
                cursor?: string;
                /** @description How many items at most; 50 by default. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description The id of the event. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of attempts, newest first. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The items of this page. */
                        items: {
                            /** @description The beginning of the answer; null if none came. */
                            answer: string | null;
                            /** @description The headers of the answer; null if none came, or it is not known. */
                            answer_headers: {
                                [key: string]: string;
                            } | null;
                            /** @description How long it took as a whole. */
                            duration_ms: number;
                            /** @description The endpoint that it was sent to. */
                            endpoint_id: string;
                            /** @description Why it failed; null if it did not. */
                            error: string | null;
                            /** @description The event that was sent. */
                            event_id: string;
                            /** @description Begins with wha_. */
                            id: string;
                            /** @description Why it failed, in words; null if it did not. */
                            message: string | null;
                            /** @description The headers that were sent; null where nothing was, or it is not known. */
                            sent_headers: {
                                [key: string]: string;
                            } | null;
                            /** @description How many milliseconds each stage took; what was not needed is left out. */
                            stages: {
                                /** @description Connecting, with TLS; left out on a connection that was there. */
                                connect?: number;
                                /** @description DNS look-up. */
                                lookup?: number;
                                /** @description Reading the rest. */
                                read?: number;
                                /** @description Sending, until the head of the answer came. */
                                wait?: number;
                            };
                            /**
                             * Format: date-time
                             * @description When the attempt began.
                             */
                            started_at: string;
                            /** @description The status of the answer; null if none came. */
                            status: number | null;
                        }[];
                        /** @description The next page. */
                        pagination: {
                            /** @description The cursor of the next page; null on the last one. */
                            next_cursor: string | null;
                        };
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found.not_found"];
            414: components["responses"]["414.uri_too_long"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    preview_webhook_event: {
        parameters: {
            query: {
                /** @description The other version. */
                api_version: string;
            };
            header?: never;
            path: {
                /** @description The id of the event. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Both, and where they differ. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Where the two differ. */
                        differences: {
                            /**
                             * @description What the other version does.
                             * @enum {string}
                             */
                            kind: "added" | "removed" | "changed";
                            /** @description Where. */
                            path: string;
                        }[];
                        /** @description As it was sent. */
                        from: {
                            /** @description The version. */
                            api_version: string;
                            /** @description The body in this version; null where it does not publish the event. */
                            payload: {
                                [key: string]: unknown;
                            } | null;
                        };
                        /** @description As it would have been in the other version. */
                        to: {
                            /** @description The version. */
                            api_version: string;
                            /** @description The body in this version; null where it does not publish the event. */
                            payload: {
                                [key: string]: unknown;
                            } | null;
                        };
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found.not_found"];
            410: components["responses"]["410.payload_expired"];
            414: components["responses"]["414.uri_too_long"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
    read_webhook_queue: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Endpoints that nothing is sent to. */
                        disabled: number;
                        /** @description Those of them whose time has come. */
                        due: number;
                        /** @description Endpoints that events are sent to. */
                        enabled: number;
                        /** @description Enabled endpoints whose last attempts have all failed. */
                        failing: number;
                        /** @description Events of endpoints that are disabled. */
                        held: number;
                        /** @description Events that are to be sent; 10000 means at least so many. */
                        waiting: number;
                    };
                };
            };
            400: components["responses"]["400.invalid_request"];
            401: components["responses"]["401.unauthorized"];
            403: components["responses"]["403.insufficient_role"];
            404: components["responses"]["404.version_not_found"];
            422: components["responses"]["422.validation_failed"];
            500: components["responses"]["500.internal_error"];
            503: components["responses"]["503.timeout.storage_unavailable.starting.draining"];
        };
    };
}
